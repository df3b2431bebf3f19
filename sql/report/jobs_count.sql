-- How many rows the sheet "Jobs" has, and a sentence for the reader if it does not list all jobs.
WITH listed AS (
    SELECT count(*) AS jobs, count(*) FILTER (WHERE is_listed) AS dearest,
           count(DISTINCT cost_centre IS NULL) FILTER (WHERE NOT is_listed) AS rest_rows
    FROM scope_place
)
SELECT CASE WHEN is_cut THEN dearest + rest_rows ELSE jobs END,
       CASE WHEN is_cut
           THEN format('The dearest %s of %s jobs; above the total the others added up (setting workbook_jobs). Each that has a cost centre is in its workbook.',
                       to_char(dearest, 'FM999,999,999,990'), to_char(jobs, 'FM999,999,999,990'))
           WHEN jobs > 200 THEN format('%s jobs, the dearest first; the first 200 are printed.', to_char(jobs, 'FM999,999,999,990'))
       END
FROM listed
CROSS JOIN LATERAL (SELECT current_setting('kstar.cost_centre') = '' AND dearest < jobs) AS cut (is_cut);

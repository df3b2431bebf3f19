-- The first lines of a workbook: what can be saved, how much was judged, and the dearest flag in words. Of one cost centre its own jobs.
WITH book AS (
    SELECT current_setting('kstar.statement_month')::date AS statement_month, nullif(current_setting('kstar.cost_centre'), '') AS centre
)
SELECT saving_text(book.statement_month, centre), coverage_text(book.statement_month, centre),
       (SELECT 'The dearest, job ' || CASE WHEN judged_with IS NULL THEN job.job_id ELSE heterogeneous_job_id END || coalesce(' (' || job.job_name || ')', '')
               || ': ' || flag_text(flag, coalesce(family.unit, 'nodes'), statement_currency, minor_unit_digits) || '.'
        FROM flagged_job AS flag
        JOIN statement USING (statement_month)
        JOIN job USING (attempt_id)
        LEFT JOIN stated_family_of_month AS family ON family.statement_month = flag.statement_month AND family.family = flag.family
        WHERE flag.statement_month = book.statement_month AND (centre IS NULL OR flag.cost_centre = centre)
        ORDER BY flag.excess_minor DESC NULLS LAST, attempt_id
        LIMIT 1)
FROM book;

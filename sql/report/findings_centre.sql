-- Sheet "Summary" of one cost centre: its own findings; table finding speaks of everybody.
WITH result AS (
    SELECT job_result.*, job.job_id, job.job_name
    FROM job_result JOIN job USING (attempt_id)
    WHERE statement_month = current_setting('kstar.statement_month')::date
      AND job_result.cost_centre = current_setting('kstar.cost_centre')
), above AS (
    SELECT 'above K*' AS kind, excess_minor AS minor_units,
           'Job ' || job_id || coalesce(' (' || job_name || ')', '') || ' ran on ' || k || '; K* is ' || k_star
               || CASE WHEN waiver IS NOT NULL THEN '; waived' ELSE '' END AS finding
    FROM result WHERE verdict = 'above K*'
), failed AS (
    SELECT 'failed runs', sum(failed_runs_minor)::bigint, count(*) || CASE WHEN count(*) = 1 THEN ' failed attempt' ELSE ' failed attempts' END
    FROM result WHERE outcome = 'failed' HAVING count(*) > 0
), waste AS (
    SELECT 'coordination waste', sum(coordination_waste_minor)::bigint,
           'Lost to coordination between nodes in ' || count(*) || CASE WHEN count(*) = 1 THEN ' measured job' ELSE ' measured jobs' END
    FROM result WHERE efficiency IS NOT NULL AND outcome = 'productive' HAVING count(*) > 0
)
SELECT kind, minor_units, finding
FROM (SELECT * FROM above UNION ALL SELECT * FROM failed UNION ALL SELECT * FROM waste) AS found
WHERE minor_units <> 0
ORDER BY minor_units DESC, kind COLLATE "C", finding COLLATE "C"
LIMIT 10;

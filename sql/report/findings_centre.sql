-- Sheet "Summary" of one cost centre: its own findings; table finding speaks of everybody.
WITH result AS (
    SELECT job_result.*, CASE WHEN judged_with IS NULL THEN job.job_id ELSE heterogeneous_job_id END AS job_id, job.job_name, heterogeneous_offset,
           coalesce(judged_with, attempt_id) AS whole
    FROM scope_result AS job_result JOIN job USING (attempt_id)
), flagged AS (
    SELECT verdict AS kind, sum(excess_minor)::bigint AS minor_units,
           'Job ' || job_id || coalesce(' (' || (array_agg(job_name ORDER BY heterogeneous_offset))[1] || ')', '') || ' ran on ' || k || '; K* is '
               || k_star || '; ' || waiting_text(waiting_per_hour, statement_currency)
               || CASE WHEN waiver IS NOT NULL THEN '; waived' ELSE '' END AS finding
    FROM result JOIN statement USING (statement_month)
    WHERE is_flag(verdict)
    GROUP BY whole, job_id, verdict, k, k_star, waiver, waiting_per_hour, statement_currency
), failed AS (
    SELECT 'failed runs', sum(failed_runs_minor)::bigint,
           count(DISTINCT whole) || CASE WHEN count(DISTINCT whole) = 1 THEN ' failed attempt' ELSE ' failed attempts' END
    FROM result WHERE outcome = 'failed' HAVING count(*) > 0
), waste AS (
    SELECT 'coordination waste', sum(coordination_waste_minor)::bigint,
           'Lost to coordination between nodes in ' || count(DISTINCT whole)
               || CASE WHEN count(DISTINCT whole) = 1 THEN ' measured job' ELSE ' measured jobs' END
    FROM result WHERE efficiency IS NOT NULL AND outcome = 'productive' HAVING count(*) > 0
)
SELECT kind, minor_units, finding
FROM (SELECT * FROM flagged UNION ALL SELECT * FROM failed UNION ALL SELECT * FROM waste) AS found
WHERE minor_units <> 0
ORDER BY minor_units DESC, kind COLLATE "C", finding COLLATE "C"
LIMIT 10;

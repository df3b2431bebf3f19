-- Sheet "Summary" of one cost centre: its own findings. The table finding has those of all.
WITH result AS (
    SELECT attempt_id, judged_with, coalesce(judged_with, attempt_id) AS whole, outcome, verdict, k, k_star, waiver, waiting_per_hour, efficiency,
           excess_minor, failed_runs_minor, coordination_waste_minor
    FROM scope_result
), dearest AS ( -- only these flags are shown, so only their jobs are looked up
    SELECT verdict, sum(excess_minor)::bigint AS minor_units, whole, bool_and(judged_with IS NULL) AS is_one, k, k_star, waiver, waiting_per_hour,
           array_agg(attempt_id) AS attempts
    FROM result
    WHERE is_flag(verdict)
    GROUP BY verdict, whole, k, k_star, waiver, waiting_per_hour
    HAVING sum(excess_minor) <> 0
    ORDER BY minor_units DESC
    FETCH FIRST 10 ROWS WITH TIES
), flagged AS (
    SELECT verdict AS kind, minor_units, whole AS flagged,
           'Job ' || min(CASE WHEN is_one THEN job_id ELSE heterogeneous_job_id END)
               || coalesce(' (' || (array_agg(job_name ORDER BY heterogeneous_offset))[1] || ')', '') || ' ran on ' || k || '; K* is '
               || k_star || '; ' || waiting_text(waiting_per_hour, statement_currency)
               || CASE WHEN waiver IS NOT NULL THEN '; waived' ELSE '' END AS finding
    FROM dearest
    CROSS JOIN unnest(attempts) AS part (attempt_id)
    JOIN job USING (attempt_id)
    JOIN statement ON statement_month = current_setting('kstar.statement_month')::date
    GROUP BY whole, verdict, minor_units, k, k_star, waiver, waiting_per_hour, statement_currency
), failed AS (
    SELECT 'failed runs', sum(failed_runs_minor)::bigint, NULL::bigint,
           count(DISTINCT whole) || CASE WHEN count(DISTINCT whole) = 1 THEN ' failed attempt' ELSE ' failed attempts' END
    FROM result WHERE outcome = 'failed' HAVING count(*) > 0
), waste AS (
    SELECT 'coordination waste', sum(coordination_waste_minor)::bigint, NULL::bigint,
           'Lost to coordination between nodes in ' || count(DISTINCT whole)
               || CASE WHEN count(DISTINCT whole) = 1 THEN ' measured job' ELSE ' measured jobs' END
    FROM result WHERE efficiency IS NOT NULL AND outcome = 'productive' HAVING count(*) > 0
)
SELECT kind, minor_units, finding
FROM (SELECT * FROM flagged UNION ALL SELECT * FROM failed UNION ALL SELECT * FROM waste) AS found
WHERE minor_units <> 0
ORDER BY minor_units DESC, flagged, kind COLLATE "C", finding COLLATE "C"
LIMIT 10;

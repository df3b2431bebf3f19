-- Slurm's WCKey was kept for rules, and no rule could name it: job_wckey. It is a fact of a job since 0060.

-- As 0043 has it, with job_wckey.
CREATE OR REPLACE VIEW job_run_group AS
WITH known AS (
    SELECT run_group, min(cluster) AS cluster, min(start_time) AS start_time,
           CASE WHEN bool_and(end_time IS NOT NULL AND came.state <> 'RUNNING') THEN max(end_time) END AS end_time,
           bool_or(outcome = 'productive' AND end_time IS NOT NULL AND came.state <> 'RUNNING') AS succeeded,
           (array_agg(job_name ORDER BY start_time, attempt_id))[1]  AS job_name,
           (array_agg(user_name ORDER BY start_time, attempt_id))[1] AS user_name,
           (array_agg(account ORDER BY start_time, attempt_id))[1]   AS account,
           (array_agg(partition ORDER BY start_time, attempt_id))[1] AS partition,
           (array_agg(qos ORDER BY start_time, attempt_id))[1]       AS qos,
           (array_agg(wckey ORDER BY start_time, attempt_id))[1]     AS wckey,
           (array_agg(comment ORDER BY start_time, attempt_id))[1]   AS comment,
           (array_agg(attempt_id ORDER BY start_time, attempt_id))[1] AS first_attempt
    FROM job
    CROSS JOIN LATERAL (SELECT coalesce(continued_state, job.state)) AS came (state)
    JOIN job_state ON job_state.state = came.state
    WHERE start_time IS NOT NULL
    GROUP BY run_group
), ruled AS (
    SELECT known.*, rule.within_hours,
           concat_ws(E'\x1f', rule.priority, CASE WHEN rule.same LIKE 'job\_name%' THEN job_name ELSE family END,
                     CASE WHEN rule.same LIKE '%user' THEN user_name END) AS chain_key
    FROM known
    LEFT JOIN LATERAL (SELECT family FROM job_result WHERE job_result.attempt_id = first_attempt
                       ORDER BY statement_month DESC LIMIT 1) AS result ON true
    JOIN LATERAL (SELECT declared_run_group.*
                  FROM declared_run_group
                  JOIN (VALUES ('job_account', account), ('job_user', user_name), ('job_partition', partition),
                               ('job_name', job_name), ('job_comment', comment), ('job_qos', qos),
                               ('job_wckey', wckey), ('job_cluster', cluster)) AS attribute (match, value) USING (match)
                  WHERE value LIKE glob_to_like(pattern)
                    AND valid_from <= start_time::date AND start_time::date < valid_to
                    AND CASE WHEN same LIKE 'job\_name%' THEN job_name ELSE family END IS NOT NULL
                  ORDER BY priority, declared_run_group.valid_from LIMIT 1) AS rule ON true
), linked AS (
    SELECT ruled.*,
           coalesce(NOT lag(succeeded) OVER chain AND lag(end_time) OVER chain <= start_time
                    AND start_time - lag(end_time) OVER chain <= within_hours * interval '1 hour', false) AS goes_on
    FROM ruled
    WINDOW chain AS (PARTITION BY chain_key ORDER BY start_time, run_group)
), numbered AS (
    SELECT linked.*, count(*) FILTER (WHERE NOT goes_on) OVER (PARTITION BY chain_key ORDER BY start_time, run_group) AS chain_number
    FROM linked
)
SELECT job.attempt_id,
       coalesce(first_value(numbered.run_group) OVER (PARTITION BY chain_key, chain_number ORDER BY numbered.start_time, numbered.run_group),
                job.run_group) AS run_group
FROM job
LEFT JOIN numbered USING (run_group)
WHERE numbered.run_group IS NOT NULL
UNION ALL
SELECT job.attempt_id, job.run_group
FROM job
WHERE job.run_group NOT IN (SELECT run_group FROM ruled);

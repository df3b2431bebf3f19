-- Attempts at one result that the scheduler does not know to be: submitted again by hand after they failed.

-- run_groups.csv: jobs that match and agree in `same` are attempts at one result, one after the other, until one succeeds.
CREATE TABLE declared_run_group (
    priority     integer NOT NULL,
    match        text NOT NULL,
    pattern      text NOT NULL,
    same         text NOT NULL CHECK (same IN ('job_name', 'job_name and user', 'family', 'family and user')),
    within_hours numeric NOT NULL CHECK (within_hours > 0), -- from the end of one to the start of the next
    valid_from   date NOT NULL DEFAULT '-infinity',
    valid_to     date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (priority, valid_from)
);

-- The group of each attempt that ever started. What is declared, or one job id that was requeued, is a group by itself; such
-- groups are chained where a rule says so: the next belongs to the one before that ended without success, in time and before it
-- began. A chain has the name of its first.
CREATE VIEW job_run_group AS
WITH known AS (
    SELECT run_group, min(cluster) AS cluster, min(start_time) AS start_time,
           CASE WHEN bool_and(end_time IS NOT NULL) THEN max(end_time) END AS end_time,
           bool_or(outcome = 'productive' AND end_time IS NOT NULL) AS succeeded,
           (array_agg(job_name ORDER BY start_time, attempt_id))[1]  AS job_name,
           (array_agg(user_name ORDER BY start_time, attempt_id))[1] AS user_name,
           (array_agg(account ORDER BY start_time, attempt_id))[1]   AS account,
           (array_agg(partition ORDER BY start_time, attempt_id))[1] AS partition,
           (array_agg(qos ORDER BY start_time, attempt_id))[1]       AS qos,
           (array_agg(comment ORDER BY start_time, attempt_id))[1]   AS comment,
           (array_agg(attempt_id ORDER BY start_time, attempt_id))[1] AS first_attempt
    FROM job
    JOIN job_state USING (state)
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
                               ('job_cluster', cluster)) AS attribute (match, value) USING (match)
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

CREATE OR REPLACE VIEW run_group_cost AS
SELECT run_group, min(start_time) AS first_start, max(end_time) AS last_end, statement_currency,
       count(DISTINCT attempt_id) AS attempts,
       count(DISTINCT attempt_id) FILTER (WHERE outcome = 'failed') AS failed_attempts,
       sum(true_cost_minor)::bigint AS true_cost_minor,
       coalesce(sum(true_cost_minor) FILTER (WHERE outcome <> 'productive'), 0)::bigint AS without_result_minor,
       CASE WHEN bool_or(provisional) THEN 'running'
            WHEN bool_or(outcome = 'productive') THEN 'succeeded'
            WHEN bool_and(outcome = 'cancelled') THEN 'cancelled'
            ELSE 'failed, no result' END AS result
FROM (SELECT job_result.*, job_run_group.run_group, statement.statement_currency
      FROM job_result
      JOIN statement USING (statement_month)
      JOIN job_run_group USING (attempt_id)) AS attempt
GROUP BY run_group, statement_currency;

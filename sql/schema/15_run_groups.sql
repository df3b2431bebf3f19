-- The cost of failed runs: failed ÷ productive cost by cost centre and family, over a trailing
-- window of statements; and the cost of each result with all attempts at it. Both are views of
-- job_result, so they agree with the statements. The rows of a closed month do not change.

-- Each statement with its window and the settings for it.
CREATE VIEW failed_run_window AS
SELECT statement_month, statement_currency,
       (statement_month - make_interval(months => window_months - 1))::date AS window_from,
       window_months, minimum_attempts, prior
FROM (SELECT statement_month, statement_currency,
             coalesce(max(value) FILTER (WHERE parameter = 'failed_run_window_months'), '3')::integer    AS window_months,
             coalesce(max(value) FILTER (WHERE parameter = 'failed_run_minimum_attempts'), '20')::integer AS minimum_attempts,
             max(value) FILTER (WHERE parameter = 'failed_run_prior')::numeric                            AS prior
      FROM statement
      LEFT JOIN (SELECT statement_month, parameter, value
                 FROM stated_setting
                 WHERE valid_from <= (statement_month + interval '1 month' - interval '1 day')::date
                   AND valid_to > (statement_month + interval '1 month' - interval '1 day')::date) AS in_force USING (statement_month)
      GROUP BY statement_month, statement_currency) AS stated;

-- The attempts of each statement's window. Cost: hardware and fees, on the bill or at an internal
-- rate; no overhead.
CREATE VIEW failed_run_attempt AS
SELECT "window".statement_month, attempt_id, coalesce(cost_centre, '(none)') AS cost_centre, coalesce(family, '(none)') AS family,
       outcome, base_state AS state, node_hours,
       useful_compute_minor + coordination_waste_minor + unmeasured_hardware_minor + cloud_fees_minor
           + failed_runs_minor + cancelled_minor AS cost_minor
FROM failed_run_window AS "window"
JOIN statement AS counted ON counted.statement_month BETWEEN "window".window_from AND "window".statement_month
                         AND counted.statement_currency = "window".statement_currency
JOIN job_result ON job_result.statement_month = counted.statement_month
WHERE NOT provisional;

-- By cost centre and family, by each of them, and in all ('*'). Computed month by month: a query
-- for two months reads no other month.
CREATE VIEW failed_run_factor AS
WITH summed AS (
    SELECT statement.statement_month, of_month.*
    FROM statement
    CROSS JOIN LATERAL (
        SELECT CASE WHEN grouping(cost_centre) = 1 THEN '*' ELSE cost_centre END AS cost_centre,
               CASE WHEN grouping(family) = 1 THEN '*' ELSE family END           AS family,
               count(DISTINCT attempt_id) FILTER (WHERE outcome = 'failed')      AS failed_attempts,
               count(DISTINCT attempt_id) FILTER (WHERE outcome = 'productive')  AS productive_attempts,
               count(DISTINCT attempt_id) FILTER (WHERE outcome = 'cancelled')   AS cancelled_attempts,
               coalesce(sum(cost_minor) FILTER (WHERE outcome = 'failed'), 0)::bigint     AS failed_minor,
               coalesce(sum(cost_minor) FILTER (WHERE outcome = 'productive'), 0)::bigint AS productive_minor,
               coalesce(sum(cost_minor) FILTER (WHERE outcome = 'cancelled'), 0)::bigint  AS cancelled_minor
        FROM failed_run_attempt
        WHERE failed_run_attempt.statement_month = statement.statement_month
        GROUP BY GROUPING SETS ((cost_centre, family), (cost_centre), (family), ())
        HAVING count(*) > 0) AS of_month
), measured AS (
    SELECT summed.*, "window".window_from, "window".prior,
           round(failed_minor::numeric / nullif(productive_minor, 0), 6)             AS measured_factor,
           failed_attempts + productive_attempts >= "window".minimum_attempts        AS is_enough
    FROM summed
    JOIN failed_run_window AS "window" USING (statement_month)
)
SELECT statement_month, window_from, cost_centre, family, failed_attempts, productive_attempts, cancelled_attempts,
       failed_minor, productive_minor, cancelled_minor, measured_factor,
       CASE WHEN measured_factor IS NOT NULL AND (is_enough OR prior IS NULL) THEN measured_factor ELSE prior END AS factor,
       CASE WHEN measured_factor IS NOT NULL AND is_enough     THEN 'measured'
            WHEN prior IS NOT NULL                             THEN 'prior'
            WHEN measured_factor IS NOT NULL                   THEN 'measured, few attempts'
            ELSE 'nothing productive to compare with' END AS factor_from
FROM measured;

-- How attempts ended, and what they cost.
CREATE VIEW failed_run_state AS
SELECT statement_month, state, outcome, count(DISTINCT attempt_id) AS attempts, round(sum(node_hours)::numeric, 6) AS node_hours,
       sum(cost_minor)::bigint AS cost_minor
FROM failed_run_attempt
GROUP BY statement_month, state, outcome;

-- The run group of each attempt that started. A declared group is one, and so are the attempts of
-- one job id that was requeued. Where a rule says so, groups are chained: a group follows the one
-- before if that ended without success, early enough and before this one began. A job that
-- continued after it was resized has neither succeeded nor ended. A chain has the name of its first
-- group.
CREATE VIEW job_run_group AS
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

-- The true cost of a result: all attempts at it in all statements so far. The components of a
-- heterogeneous job are one attempt. It is a memo: never add it to the rows. The outcome of a group
-- is that of its attempts as known now; a closed month keeps the outcome of an attempt that was
-- still running. A group without a success has failed and is no result.
CREATE VIEW run_group_cost AS
SELECT run_group, min(start_time) AS first_start, max(end_time) AS last_end, statement_currency,
       count(DISTINCT run) AS attempts,
       count(DISTINCT run) FILTER (WHERE outcome = 'failed') AS failed_attempts,
       sum(true_cost_minor)::bigint AS true_cost_minor,
       coalesce(sum(true_cost_minor) FILTER (WHERE outcome <> 'productive'), 0)::bigint AS without_result_minor,
       CASE WHEN bool_or(end_time IS NULL OR state = 'RUNNING') THEN 'running'
            WHEN bool_or(outcome = 'productive') THEN 'succeeded'
            WHEN bool_and(outcome = 'cancelled') THEN 'cancelled'
            ELSE 'failed, no result' END AS result
FROM (SELECT ROW(job.cluster, coalesce(heterogeneous_job_id, attempt_id::text), job.submit_time)::text AS run, job_run_group.run_group, job.start_time,
             job.end_time, job_state.state, job_state.outcome, true_cost_minor, statement_currency
      FROM job_result
      JOIN statement USING (statement_month)
      JOIN job USING (attempt_id)
      JOIN job_state ON job_state.state = coalesce(job.continued_state, job.state)
      JOIN job_run_group USING (attempt_id)) AS attempt
GROUP BY run_group, statement_currency;

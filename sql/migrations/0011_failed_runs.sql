-- What failing costs, measured: failed ÷ productive cost, by cost centre and family, over a trailing window of statements
-- (design 5). Derived from the register of jobs, so that it always says what the statements say; a closed month's part of it stays.

-- Each statement with its window, and what its settings say.
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
      GROUP BY statement_month, statement_currency) AS said;

-- The attempts of each statement's window. Cost: hardware and fees, on the bill or at an internal rate; no overhead.
CREATE VIEW failed_run_attempt AS
SELECT "window".statement_month, attempt_id, coalesce(cost_centre, '(none)') AS cost_centre, coalesce(family, '(none)') AS family,
       outcome, upper(split_part(state_text, ' ', 1)) AS state, node_hours,
       useful_compute_minor + coordination_waste_minor + unmeasured_hardware_minor + cloud_fees_minor
           + failed_runs_minor + cancelled_minor + hardware_off_bill_minor AS cost_minor
FROM failed_run_window AS "window"
JOIN statement AS counted ON counted.statement_month BETWEEN "window".window_from AND "window".statement_month
                         AND counted.statement_currency = "window".statement_currency
JOIN job_result ON job_result.statement_month = counted.statement_month
WHERE NOT provisional;

-- By cost centre and family, by each alone, and of all ('*').
CREATE VIEW failed_run_factor AS
WITH summed AS (
    SELECT statement_month,
           CASE WHEN grouping(cost_centre) = 1 THEN '*' ELSE cost_centre END AS cost_centre,
           CASE WHEN grouping(family) = 1 THEN '*' ELSE family END           AS family,
           count(DISTINCT attempt_id) FILTER (WHERE outcome = 'failed')      AS failed_attempts,
           count(DISTINCT attempt_id) FILTER (WHERE outcome = 'productive')  AS productive_attempts,
           count(DISTINCT attempt_id) FILTER (WHERE outcome = 'cancelled')   AS cancelled_attempts,
           coalesce(sum(cost_minor) FILTER (WHERE outcome = 'failed'), 0)::bigint     AS failed_minor,
           coalesce(sum(cost_minor) FILTER (WHERE outcome = 'productive'), 0)::bigint AS productive_minor,
           coalesce(sum(cost_minor) FILTER (WHERE outcome = 'cancelled'), 0)::bigint  AS cancelled_minor
    FROM failed_run_attempt
    GROUP BY statement_month, GROUPING SETS ((cost_centre, family), (cost_centre), (family), ())
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

-- How attempts ended, and what that cost.
CREATE VIEW failed_run_state AS
SELECT statement_month, state, outcome, count(DISTINCT attempt_id) AS attempts, round(sum(node_hours)::numeric, 6) AS node_hours,
       sum(cost_minor)::bigint AS cost_minor
FROM failed_run_attempt
GROUP BY statement_month, state, outcome;

-- What a result truly cost: all attempts at it in all statements so far. A memo, never summed with the rows. Without a success it is
-- failed, no result.
CREATE VIEW run_group_cost AS
SELECT run_group, min(start_time) AS first_start, max(end_time) AS last_end, statement_currency,
       count(DISTINCT attempt_id) AS attempts,
       count(DISTINCT attempt_id) FILTER (WHERE outcome = 'failed') AS failed_attempts,
       sum(true_cost_minor)::bigint AS true_cost_minor,
       coalesce(sum(true_cost_minor) FILTER (WHERE outcome <> 'productive'), 0)::bigint AS without_result_minor,
       CASE WHEN bool_or(provisional) THEN 'running'
            WHEN bool_or(outcome = 'productive') THEN 'succeeded'
            WHEN bool_and(outcome = 'cancelled') THEN 'cancelled'
            ELSE 'failed, no result' END AS result
FROM (SELECT job_result.*, job.run_group, statement.statement_currency
      FROM job_result
      JOIN statement USING (statement_month)
      JOIN job USING (attempt_id)) AS attempt
GROUP BY run_group, statement_currency;

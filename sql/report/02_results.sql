-- Fills the tables of report/00_session.sql for results: run groups, and the results of the month.

-- Results are taken as published: later job records change no closed month. This month's results
-- are read once. Groups and attempts are looked up one by one in the months before: a join would
-- read the results of all years.
INSERT INTO working_run_row
WITH this AS (
    SELECT run_group, attempt_id, commented_tokens, judged_with, cost_centre, family, start_time, end_time, true_cost_minor, statement_month,
           outcome, provisional
    FROM job_result
    WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date)
), wanted AS (
    SELECT run_group FROM this
    UNION
    SELECT run_group FROM stated_run_group_unit WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date)
), latest AS ( -- each attempt with its group by its latest statement
    SELECT run_group, attempt_id, commented_tokens FROM this WHERE run_group IS NOT NULL
    UNION ALL
    SELECT before.run_group, attempt_id, commented_tokens
    FROM wanted
    CROSS JOIN LATERAL (SELECT * FROM job_result
                        WHERE job_result.run_group = wanted.run_group
                          AND statement_month < (SELECT current_setting('kstar.statement_month')::date)
                        OFFSET 0) AS before
    WHERE NOT EXISTS (SELECT FROM job_result AS later
                      WHERE later.attempt_id = before.attempt_id AND later.statement_month > before.statement_month
                        AND later.statement_month <= (SELECT current_setting('kstar.statement_month')::date))
), stated AS (
    SELECT * FROM this WHERE run_group IS NOT NULL
    UNION ALL
    SELECT latest.*, before.*
    FROM latest
    CROSS JOIN LATERAL (SELECT judged_with, cost_centre, family, start_time, end_time, true_cost_minor, statement_month, outcome, provisional
                        FROM job_result
                        WHERE job_result.attempt_id = latest.attempt_id
                          AND statement_month < (SELECT current_setting('kstar.statement_month')::date)
                        OFFSET 0) AS before
    -- a list: a table of months would be read again for each attempt
    WHERE statement_month = ANY (ARRAY(SELECT statement.statement_month
                                       FROM statement AS this
                                       JOIN statement USING (statement_currency)
                                       WHERE this.statement_month = (SELECT current_setting('kstar.statement_month')::date)))
)
SELECT run_group, attempt_id, coalesce(judged_with, attempt_id), commented_tokens, cost_centre, family, start_time, end_time, true_cost_minor,
       statement_month, row_number() OVER latest_first = 1, first_value(outcome) OVER latest_first, first_value(provisional) OVER latest_first,
       statement_month = (SELECT current_setting('kstar.statement_month')::date) AND lead(provisional) OVER latest_first
FROM stated
WINDOW latest_first AS (PARTITION BY attempt_id ORDER BY statement_month DESC);

-- Without its size, the planner would expect two rows and compare all outcomes with each other.
ANALYZE working_run_row (run_group);

INSERT INTO report_attempt_row
WITH group_result AS (
    SELECT coalesce(cost_centre, '') AS scope, run_group,
           CASE WHEN bool_or(is_running) THEN 'running'
                WHEN bool_or(came_of_it = 'productive') THEN 'succeeded'
                WHEN bool_and(came_of_it = 'cancelled') THEN 'cancelled'
                ELSE 'failed, no result' END AS result,
           count(*) AS row_count, sum(true_cost_minor) AS true_cost_minor
    FROM working_run_row
    GROUP BY GROUPING SETS ((run_group), (run_group, cost_centre))
    HAVING bool_or(statement_month = (SELECT current_setting('kstar.statement_month')::date))
       -- the components of a heterogeneous job are one attempt
       AND (min(run) <> max(run) OR NOT bool_or(came_of_it = 'productive'))
       AND (GROUPING(cost_centre) = 1 OR cost_centre IS NOT NULL)
), placed AS ( -- everybody's workbook lists the dearest results, up to as many rows as jobs
    SELECT scope, run_group, result,
           scope <> '' OR sum(row_count) OVER (PARTITION BY scope ORDER BY true_cost_minor DESC, run_group COLLATE "C") - row_count < listed AS is_listed
    FROM group_result
    CROSS JOIN (SELECT stated_setting_value(current_setting('kstar.statement_month')::date, 'workbook_jobs', '5000')::bigint OFFSET 0) AS setting (listed)
)
SELECT scope, run_group, result, run, attempt_id, statement_month, is_listed
FROM placed
JOIN working_run_row AS row USING (run_group)
WHERE scope IN ('', row.cost_centre);

ANALYZE report_attempt_row;

-- The results of the month. If run_group_units.csv gives a result a date in the month, it counts.
-- Another result counts if its last attempt ended in the month (an end at midnight is in the month
-- before). It also counts if that attempt ended before, but statements until then have it running.
-- Each result has all that it cost in the statements so far, by cost centre. The outcome of an
-- attempt is that of its latest statement.
WITH month AS (
    SELECT statement_month, statement_currency, statement_month::timestamptz AS month_start,
           (statement_month + interval '1 month')::timestamptz AS month_end
    FROM statement
    WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date)
), declared AS (
    SELECT stated_run_group_unit.*, delivered_on BETWEEN month_start::date AND month_end::date - 1 AS is_of_month
    FROM stated_run_group_unit
    JOIN month USING (statement_month)
), came AS ( -- components of a heterogeneous job repeat its tokens
    SELECT run_group, attempt_id, CASE WHEN run = attempt_id THEN max(commented_tokens) OVER (PARTITION BY run) END AS commented_tokens,
           cost_centre, came_of_it, is_running, start_time, end_time, ran_until_now
    FROM working_run_row
    WHERE is_latest
), whole AS (
    SELECT run_group, bool_or(is_running) AS is_running, bool_or(ran_until_now) AS ran_until_now,
           bool_or(came_of_it = 'productive') AS has_succeeded, max(end_time) AS last_end,
           greatest(max(start_time), max(end_time) - interval '1 microsecond') AS last_moment,
           (array_agg(cost_centre ORDER BY came_of_it = 'productive' DESC, end_time DESC NULLS FIRST, attempt_id))[1] AS receiver,
           -- trained_tokens=0 counts as unknown: a cost cannot be divided by it
           nullif(sum(commented_tokens) FILTER (WHERE came_of_it = 'productive'), 0) AS commented
    FROM came
    GROUP BY run_group
), counted AS (
    SELECT run_group, last_end, delivered_on, receiver, models IS NOT NULL AS is_declared,
           coalesce(models, has_succeeded::int) AS models,
           coalesce(trained_tokens, commented)  AS trained_tokens
    FROM whole
    CROSS JOIN month
    LEFT JOIN declared USING (run_group)
    WHERE CASE WHEN models IS NOT NULL THEN is_of_month
               ELSE NOT is_running AND last_moment < month_end AND (last_moment >= month_start OR ran_until_now IS TRUE) END
), part AS (
    SELECT run_group, cost_centre, count(DISTINCT run) AS attempts, sum(true_cost_minor)::bigint AS true_cost_minor,
           coalesce(sum(true_cost_minor) FILTER (WHERE came_of_it <> 'productive'), 0)::bigint AS without_result_minor,
           CASE WHEN bool_or(is_running) THEN 'running'
                WHEN bool_or(came_of_it = 'productive') THEN 'succeeded'
                WHEN bool_and(came_of_it = 'cancelled') THEN 'cancelled'
                ELSE 'failed, no result' END AS result,
           (array_agg(family ORDER BY statement_month DESC, end_time DESC NULLS FIRST, attempt_id))[1] AS family
    FROM working_run_row
    GROUP BY run_group, cost_centre
), result AS (
    SELECT run_group, cost_centre, family, result, attempts, last_end, delivered_on, is_declared,
           trained_tokens IS NOT NULL AS has_tokens,
           CASE WHEN is_receiver THEN models ELSE 0 END AS models, CASE WHEN is_receiver THEN trained_tokens END AS trained_tokens,
           true_cost_minor, without_result_minor
    FROM counted
    JOIN part USING (run_group)
    CROSS JOIN LATERAL (SELECT cost_centre IS NOT DISTINCT FROM receiver) AS who (is_receiver)
    UNION ALL
    SELECT run_group, NULL, NULL, 'no such run group', 0, NULL, delivered_on, true, false, 0, NULL, 0, 0
    FROM declared
    WHERE is_of_month AND run_group NOT IN (SELECT run_group FROM whole)
), listed AS (
    INSERT INTO report_result
    SELECT run_group, cost_centre, family, result, attempts, last_end, delivered_on, count(*) OVER (PARTITION BY run_group) > 1, models,
           trained_tokens, true_cost_minor, without_result_minor
    FROM result
    WHERE is_declared OR has_tokens
)
INSERT INTO report_unit_cost
SELECT cost_centre, family, count(*), count(*) FILTER (WHERE result = 'succeeded'), sum(models), sum(true_cost_minor), sum(without_result_minor),
       sum(true_cost_minor) FILTER (WHERE has_tokens), sum(trained_tokens)
FROM result
WHERE result <> 'no such run group'
GROUP BY cost_centre, family;

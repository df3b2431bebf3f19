-- What the next measurement of a family would cost, and the most that it can save
-- (docs/mathematics.md, section 10).

-- A row for each scope ('' is everybody, else a cost centre) and family with jobs in the statement
-- whose verdict is not sure. The most valuable comes first.
--
-- - Of the statement: jobs, node_hours, cost_minor (what verdicts are about), and how many verdicts
--   are not sure.
-- - The experiment: the size that the dearest of these jobs ask for (null: they ask for something
--   else), and what `hours` on it cost at the hardware price of the family's jobs: price_minor =
--   cash_minor + capacity_minor.
-- - Of the statement and those of the two months before it, in its currency: stake_minor, the true
--   cost of the family's jobs; value_minor, the most that knowing K* would have saved (null: there
--   is no interval on K*), and weekly_minor of it a week.
-- - payback_weeks: after so many weeks the most that can be saved is the price.
CREATE FUNCTION next_experiments(of_month date, scopes text[])
RETURNS TABLE (scope text, place bigint, family text, jobs bigint, node_hours numeric, cost_minor bigint, not_measured bigint, extrapolated bigint,
               low_confidence bigint, smallest_k integer, largest_k integer, next_measurement text, next_k integer, hours numeric, price_minor bigint,
               cash_minor bigint, capacity_minor bigint, stake_minor bigint, value_minor bigint, weekly_minor bigint, payback_weeks numeric)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH past AS (
        -- a month that still runs counts up to what the data are as of
        SELECT past.statement_month,
               least(past.statement_month + interval '1 month', greatest(past.as_of AT TIME ZONE 'UTC', past.statement_month + interval '1 day'))
                   - past.statement_month::timestamp AS length
        FROM statement AS this
        JOIN statement AS past USING (statement_currency)
        WHERE this.statement_month = of_month AND past.statement_month BETWEEN of_month - interval '2 months' AND of_month
    ), job AS MATERIALIZED (
        SELECT seen.scope, coalesce(result.family, '(no family)') AS family, coalesce(fit, result.family) AS fit, k, result.node_hours, verdict,
               result.low_confidence, result.cost_minor, true_cost_minor, result.next_measurement, result.next_k,
               coalesce(result.cost_minor, useful_compute_minor + coordination_waste_minor + unmeasured_hardware_minor) AS judged_minor,
               -- a heterogeneous job is one
               coalesce(judged_with, attempt_id) = attempt_id AS is_one,
               -- what only has cost of another month's hours no measurement would judge
               result.statement_month = of_month AND (wall_hours > 0 OR price_per_node_hour IS NOT NULL) AS is_here,
               verdict IN ('not measured', 'extrapolated') OR result.low_confidence
               OR (verdict LIKE '%within measurement error' AND result.next_k IS NOT NULL) AS is_unsure
        FROM job_result AS result
        JOIN past USING (statement_month)
        CROSS JOIN LATERAL (VALUES (''), (result.cost_centre)) AS seen (scope)
        LEFT JOIN fit_of_jobs ON fit_of_jobs.statement_month = of_month AND fit_of_jobs.family = result.family
                             AND fit_of_jobs.accelerator = coalesce(result.accelerator, '')
        WHERE outcome <> 'not started' AND seen.scope = ANY (scopes)
    ), listed AS (
        -- hours are added as decimals, so that their order cannot matter
        SELECT scope, family, count(*) FILTER (WHERE is_one) AS jobs, sum(node_hours::numeric) AS node_hours, sum(judged_minor)::bigint AS cost_minor,
               count(*) FILTER (WHERE is_one AND verdict = 'not measured') AS not_measured,
               count(*) FILTER (WHERE is_one AND verdict = 'extrapolated') AS extrapolated,
               count(*) FILTER (WHERE is_one AND low_confidence) AS low_confidence,
               min(k) AS smallest_k, max(k) AS largest_k
        FROM job
        WHERE is_here
        GROUP BY scope, family
        HAVING bool_or(is_unsure)
    ), asked AS (
        SELECT DISTINCT ON (scope, family) scope, family, next_measurement, next_k, fit
        FROM (SELECT scope, family, next_measurement, next_k, fit, sum(judged_minor) AS cost_minor
              FROM job
              WHERE is_here AND is_unsure AND next_measurement IS NOT NULL
              GROUP BY scope, family, next_measurement, next_k, fit) AS answer
        ORDER BY scope, family, next_k IS NULL, next_measurement LIKE 'nothing%', CASE WHEN next_k IS NULL THEN next_measurement END COLLATE "C",
                 cost_minor DESC NULLS LAST, next_measurement COLLATE "C", fit COLLATE "C"
    ), volume AS (
        SELECT scope, job.family, sum(true_cost_minor)::bigint AS stake_minor, sum(job.cost_minor * value_share) AS value
        FROM job
        LEFT JOIN family_curve AS point ON point.statement_month = of_month AND point.family = fit AND point.k = job.k
        GROUP BY scope, job.family
    )
    SELECT listed.scope,
           row_number() OVER (PARTITION BY listed.scope
                              ORDER BY value DESC NULLS LAST, CASE WHEN value IS NULL THEN volume.stake_minor END DESC, listed.family COLLATE "C") AS place,
           listed.family, listed.jobs, listed.node_hours, listed.cost_minor, listed.not_measured, listed.extrapolated, listed.low_confidence,
           listed.smallest_k, listed.largest_k,
           coalesce(asked.next_measurement, 'run time of the same work at three or more node counts, K = 1 included'),
           asked.next_k, setting.hours, price.minor, price.minor - price.capacity, price.capacity,
           volume.stake_minor, round(value)::bigint, round(value / weeks)::bigint,
           CASE WHEN round(value) > 0 THEN round(price.minor * weeks / value, 1) END
    FROM listed
    JOIN volume USING (scope, family)
    JOIN statement ON statement_month = of_month
    CROSS JOIN (SELECT extract(epoch FROM sum(length))::numeric / (7 * 86400) AS weeks FROM past) AS lasting
    CROSS JOIN (SELECT stated_setting_value(of_month, 'experiment_hours', '1')::numeric AS hours) AS setting
    LEFT JOIN asked USING (scope, family)
    LEFT JOIN family_fit AS fitted ON fitted.statement_month = of_month AND fitted.family = asked.fit
    CROSS JOIN LATERAL (SELECT round(asked.next_k * setting.hours * price_per_node_hour::numeric * 10::numeric ^ minor_unit_digits)) AS whole (minor)
    CROSS JOIN LATERAL (SELECT whole.minor::bigint, round(whole.minor * committed_share)::bigint) AS price (minor, capacity)
    ORDER BY listed.scope COLLATE "C", place;
END;

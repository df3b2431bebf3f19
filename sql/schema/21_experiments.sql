-- What the next measurement of a family would cost, and the most that it can save
-- (docs/mathematics.md, section 10).

-- A row for each scope ('' is everybody, else a cost centre) and family with jobs in the statement
-- whose verdict is not sure. The most valuable comes first.
--
-- - Of the statement: jobs, node_hours, cost_minor (what verdicts are about), and how many verdicts
--   are not sure.
-- - The experiment: the size that the dearest of these jobs ask for (null: they ask for something
--   else), and what `hours` on it cost at the hardware price of the scope's own jobs: price_minor =
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
    ), spent AS (
        SELECT cost_centre, family, accelerator, k, sum(cost_minor) AS cost_minor, sum(true_cost_minor) AS true_cost_minor
        FROM job_result
        JOIN past USING (statement_month)
        WHERE outcome <> 'not started'
        GROUP BY cost_centre, family, accelerator, k
    ), volume AS (
        -- jobs on a K beyond the curve have no share
        SELECT scope, coalesce(spent.family, '(no family)') AS name, sum(true_cost_minor)::bigint AS stake_minor, sum(cost_minor * value_share) AS value
        FROM spent
        CROSS JOIN LATERAL (VALUES (''), (cost_centre)) AS seen (scope)
        LEFT JOIN fit_of_jobs ON fit_of_jobs.statement_month = of_month AND fit_of_jobs.family = spent.family
                             AND fit_of_jobs.accelerator = coalesce(spent.accelerator, '')
        LEFT JOIN family_curve AS point ON point.statement_month = of_month AND point.family = fit AND point.k = spent.k
        WHERE scope = ANY (scopes)
        GROUP BY scope, coalesce(spent.family, '(no family)')
    ), alike AS (
        -- jobs of the month of which the same is asked; what only has cost of another month's hours
        -- no measurement would judge. Hours are added up as decimals, so that their order cannot
        -- matter
        SELECT cost_centre, family, accelerator, nodes_per_k, verdict, low_confidence, next_measurement, next_k,
               -- a heterogeneous job is one
               count(*) FILTER (WHERE coalesce(judged_with, attempt_id) = attempt_id) AS jobs,
               sum(hours) AS node_hours, min(k) AS smallest_k, max(k) AS largest_k,
               sum(coalesce(cost_minor, useful_compute_minor + coordination_waste_minor + unmeasured_hardware_minor)) AS cost_minor,
               sum(price * priced) AS hardware, sum(price * priced * committed_share) AS committed,
               sum(priced) FILTER (WHERE price IS NOT NULL) / nullif(nodes_per_k, 0)::numeric AS k_hours
        FROM job_result
        CROSS JOIN LATERAL (SELECT node_hours::numeric, price_per_node_hour::numeric) AS exact (hours, price)
        CROSS JOIN LATERAL (SELECT CASE unpriced_node_hours WHEN 0 THEN hours ELSE (node_hours - unpriced_node_hours)::numeric END) AS billed (priced)
        WHERE statement_month = of_month AND outcome <> 'not started' AND (wall_hours > 0 OR price_per_node_hour IS NOT NULL)
        GROUP BY cost_centre, family, accelerator, nodes_per_k, verdict, low_confidence, next_measurement, next_k
    ), job AS (
        SELECT alike.*, scope, coalesce(alike.family, '(no family)') AS name, coalesce(fit, alike.family) AS fit,
               verdict IN ('not measured', 'extrapolated') OR low_confidence
               OR (verdict LIKE '%within measurement error' AND next_k IS NOT NULL) AS is_unsure
        FROM alike
        CROSS JOIN LATERAL (VALUES (''), (cost_centre)) AS seen (scope)
        LEFT JOIN fit_of_jobs ON fit_of_jobs.statement_month = of_month AND fit_of_jobs.family = alike.family
                             AND fit_of_jobs.accelerator = coalesce(alike.accelerator, '')
        WHERE scope = ANY (scopes)
    ), listed AS (
        SELECT scope, name, sum(jobs)::bigint AS jobs, sum(node_hours) AS node_hours, sum(cost_minor)::bigint AS cost_minor,
               coalesce(sum(jobs) FILTER (WHERE verdict = 'not measured'), 0)::bigint AS not_measured,
               coalesce(sum(jobs) FILTER (WHERE verdict = 'extrapolated'), 0)::bigint AS extrapolated,
               coalesce(sum(jobs) FILTER (WHERE low_confidence), 0)::bigint AS low_confidence,
               min(smallest_k) AS smallest_k, max(largest_k) AS largest_k
        FROM job
        GROUP BY scope, name
        HAVING bool_or(is_unsure)
    ), asked AS (
        SELECT DISTINCT ON (scope, name) scope, name, next_measurement, next_k, fit
        FROM (SELECT scope, name, next_measurement, next_k, fit, sum(cost_minor) AS cost_minor
              FROM job
              WHERE is_unsure AND next_measurement IS NOT NULL
              GROUP BY scope, name, next_measurement, next_k, fit) AS answer
        ORDER BY scope, name, next_k IS NULL, next_measurement LIKE 'nothing%', CASE WHEN next_k IS NULL THEN next_measurement END COLLATE "C",
                 cost_minor DESC NULLS LAST, next_measurement COLLATE "C", fit COLLATE "C"
    ), paid AS (
        -- by what a fit speaks for, as the accelerators of a family may have other prices
        SELECT scope, name, fit, sum(hardware) / nullif(sum(k_hours), 0) AS price_per_k_hour,
               coalesce(sum(committed) / nullif(sum(hardware), 0), 0) AS committed_share
        FROM job
        GROUP BY scope, name, fit
    )
    SELECT listed.scope,
           row_number() OVER (PARTITION BY listed.scope
                              ORDER BY value DESC NULLS LAST, CASE WHEN value IS NULL THEN volume.stake_minor END DESC, listed.name COLLATE "C") AS place,
           listed.name, listed.jobs, listed.node_hours, listed.cost_minor, listed.not_measured, listed.extrapolated, listed.low_confidence,
           listed.smallest_k, listed.largest_k,
           CASE WHEN listed.name = '(no family)' THEN 'a rule in family_rules.csv that names their family'
                ELSE coalesce(asked.next_measurement, 'run time of the same work at three or more node counts, K = 1 included') END,
           asked.next_k, setting.hours, price.minor, price.minor - price.capacity, price.capacity,
           volume.stake_minor, round(value)::bigint, round(value / weeks)::bigint,
           CASE WHEN round(value) > 0 THEN round(price.minor * weeks / value, 1) END
    FROM listed
    JOIN volume USING (scope, name)
    JOIN statement ON statement_month = of_month
    CROSS JOIN (SELECT extract(epoch FROM sum(length))::numeric / (7 * 86400) AS weeks FROM past) AS lasting
    CROSS JOIN (SELECT stated_setting_value(of_month, 'experiment_hours', '1')::numeric AS hours) AS setting
    LEFT JOIN asked USING (scope, name)
    LEFT JOIN paid ON paid.scope = asked.scope AND paid.name = asked.name AND paid.fit = asked.fit
    CROSS JOIN LATERAL (SELECT round(asked.next_k * setting.hours * price_per_k_hour * 10::numeric ^ minor_unit_digits)) AS whole (minor)
    CROSS JOIN LATERAL (SELECT whole.minor::bigint, round(whole.minor * committed_share)::bigint) AS price (minor, capacity)
    ORDER BY listed.scope COLLATE "C", place;
END;

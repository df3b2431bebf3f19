-- The cost of each cost centre that a forecast continues to the month's end in a straight line
-- (docs/budgets.md), by source. Known cost is not continued: lines of more than a week, purchases,
-- adjustments, corrections and one-time charges.
--
-- covered_to is null if nobody waits for more of the source's bill. A bill of a zone east of
-- Greenwich has usage of before the month: its days are those of its own clocks.
INSERT INTO statement_projection (statement_month, cost_centre, source, linear_amount, covered_to)
WITH charged AS MATERIALIZED (
    SELECT invoice_key, target, pool, closed_month, cost_centre, effective_cost,
           charge_category IN ('Purchase', 'Adjustment') OR charge_class = 'Correction' OR charge_frequency = 'One-Time' OR is_long AS is_known
    FROM class_charge
    JOIN month USING (statement_month)
    JOIN charge_kind USING (charge_kind_key)
    WHERE target IN ('job', 'cost centre', 'pool')
), known_share AS MATERIALIZED ( -- the known share of a pool's cost, and so of each of its parts
    SELECT invoice_key, pool, closed_month, sum(effective_cost) FILTER (WHERE is_known) / sum(effective_cost) AS share
    FROM charged
    WHERE target = 'pool'
    GROUP BY invoice_key, pool, closed_month
    HAVING bool_or(is_known) AND sum(effective_cost) <> 0
), known AS (
    SELECT invoice_key, cost_centre, effective_cost
    FROM charged
    WHERE target <> 'pool' AND is_known
    UNION ALL
    SELECT invoice_key, coalesce(shared_part.cost_centre, attempt_cost_centre.cost_centre), effective_cost * share
    FROM shared_part
    JOIN month USING (statement_month)
    JOIN known_share USING (invoice_key, pool)
    LEFT JOIN attempt_cost_centre USING (attempt_id)
    WHERE shared_kind = 'pool' AND shared_part.closed_month IS NOT DISTINCT FROM known_share.closed_month
), known_of_source AS (
    SELECT cost_centre, source, sum(known.effective_cost * exchange_rate) AS amount
    FROM known
    JOIN statement_invoice USING (invoice_key)
    JOIN month USING (statement_month)
    WHERE cost_centre IS NOT NULL
    GROUP BY cost_centre, source
), spent AS (
    SELECT statement_sum.cost_centre, coalesce(source, '') AS source,
           coalesce(sum(amount) FILTER (WHERE component <> 'tax'), 0)                  AS untaxed,
           coalesce(sum(amount) FILTER (WHERE component = 'tax'), 0)                   AS tax,
           coalesce(sum(amount) FILTER (WHERE component = 'engineering_overhead'), 0)  AS engineering
    FROM statement_sum
    JOIN month USING (statement_month)
    LEFT JOIN statement_invoice USING (statement_month, invoice_key)
    WHERE line_type = 'charge' AND (block = 'invoice' OR is_of_attempts)
    GROUP BY statement_sum.cost_centre, coalesce(source, '')
)
SELECT statement_month, spent.cost_centre, source,
       round(untaxed - coalesce(known_of_source.amount, 0) - engineering
             -- Tax is continued like the taxed cost. If known lines cost more than all lines,
             -- because credits will go on, all of the tax is known.
             + tax * (1 - greatest(0, least(1, coalesce(known_of_source.amount / nullif(untaxed, 0), 0)))), 12),
       CASE WHEN source = ''             THEN (SELECT max(horizon) FROM job_horizon)
            WHEN bill.billed_to < month_end
                THEN CASE WHEN usage_from < month_start THEN usage_to AT TIME ZONE coalesce(time_zone, 'UTC') AT TIME ZONE 'UTC'
                          ELSE usage_to END END
FROM spent
CROSS JOIN month
LEFT JOIN known_of_source USING (cost_centre, source)
LEFT JOIN usage_extent USING (statement_month, source)
LEFT JOIN bill_extent((SELECT statement_month FROM month)) AS bill USING (source)
LEFT JOIN (SELECT source, time_zone FROM kstar.source_configuration WHERE kind = 'billing') AS configured USING (source);

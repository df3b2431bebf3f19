-- The serving fleets in force on the month's last day: the price of a replica, and what was measured (docs/unit-costs.md). The choice
-- among the measured counts is the model's.

-- What a node-hour of the lines that a fleet names costs: effective cost of their hardware ÷ the hours that they bill. Of one node and
-- time several SKUs (Google) count once, the largest, and lines of one SKU are parts of it, or repeat it where they come to more than the
-- period or say no time of their own: a node's are then of the time that rule 2 has for it, others of all of their charge period. Lines that
-- name no node may bill many at once. A Correction that lies wholly before or behind all hours of its node (of the fleet, where it names
-- no node) is of hours that another statement priced (as in 16_job_costs.sql).
CREATE TEMP TABLE fleet_price ON COMMIT DROP AS
WITH named AS (
    SELECT fleet, match, glob_to_like(pattern) AS wanted
    FROM serving_fleet
    CROSS JOIN month
    WHERE valid_from <= last_day AND valid_to > last_day
), fleet_class AS (
    SELECT fleet, class_id
    FROM (SELECT fleet, class_id
          FROM named
          JOIN class_attribute USING (match)
          WHERE match NOT LIKE 'tag:%' AND value LIKE wanted
          UNION ALL -- tags are attributes only where a rule asks for them
          SELECT fleet, class_id
          FROM named
          JOIN line_class ON tags ? substr(match, 5) AND tags ->> substr(match, 5) LIKE wanted
          WHERE match LIKE 'tag:%') AS matching
    JOIN line_class USING (class_id)
    WHERE charge_part = 'hardware' AND charge_category = 'Usage'
      AND commitment_discount_status IS DISTINCT FROM 'Unused' AND capacity_reservation_status IS DISTINCT FROM 'Unused'
), own_line AS (
    SELECT fleet, classed_line.resource_key, charge_period_start, charge_period_end, sku_id, effective_cost * exchange_rate AS amount,
           charge_class IS NOT DISTINCT FROM 'Correction' AS is_correction,
           CASE WHEN charge_class IS DISTINCT FROM 'Correction' AND billed_cost >= 0 AND effective_cost >= 0
                THEN coalesce(own_seconds, billed_seconds, seconds_between(charge_period_start, charge_period_end)) ELSE 0 END AS seconds,
           own_seconds IS NOT NULL OR classed_line.resource_key = 0 AS tells_time
    FROM fleet_class
    JOIN line_class USING (class_id)
    JOIN classed_line USING (class_id)
    JOIN invoice_rate ON invoice_rate.invoice_key = classed_line.invoice_key
    LEFT JOIN (SELECT line_id, own_seconds AS node_seconds, billed_seconds FROM node_line) AS node_line USING (line_id)
    CROSS JOIN LATERAL (SELECT CASE WHEN billed_seconds IS NULL THEN coalesce(consumed_quantity * consumed_unit_seconds,
                                                                              pricing_quantity * pricing_unit_seconds)
                                    ELSE node_seconds END) AS said (own_seconds)
), sku_time AS (
    SELECT fleet, resource_key, charge_period_start, charge_period_end, sku_id,
           CASE WHEN resource_key = 0 OR sum(seconds) <= seconds_between(charge_period_start, charge_period_end)
                THEN greatest(sum(seconds) FILTER (WHERE tells_time), max(seconds) FILTER (WHERE NOT tells_time))
                ELSE max(seconds) END AS seconds,
           sum(amount) AS amount, sum(amount) FILTER (WHERE is_correction) AS corrected
    FROM own_line
    GROUP BY fleet, resource_key, charge_period_start, charge_period_end, sku_id
), slot AS (
    SELECT fleet, resource_key, charge_period_start, charge_period_end, max(seconds) AS seconds, sum(amount) AS amount, sum(corrected) AS corrected
    FROM sku_time
    GROUP BY fleet, resource_key, charge_period_start, charge_period_end, CASE resource_key WHEN 0 THEN sku_id END
), placed AS ( -- sorted once for both: a sum over the fleet, and one over each of its nodes
    SELECT slot.*,
           min(charge_period_start) FILTER (WHERE seconds > 0) OVER fleet AS fleet_from, max(charge_period_end) FILTER (WHERE seconds > 0) OVER fleet AS fleet_to,
           min(charge_period_start) FILTER (WHERE seconds > 0) OVER node AS node_from, max(charge_period_end) FILTER (WHERE seconds > 0) OVER node AS node_to
    FROM slot
    WINDOW fleet AS (PARTITION BY fleet), node AS (PARTITION BY fleet, resource_key)
), node AS ( -- a longer charge period says the time of those within it again (16_job_costs.sql)
    SELECT fleet, CASE resource_key WHEN 0 THEN sum(seconds)
                       ELSE pg_temp.told_once(array_agg(charge_period_start), array_agg(charge_period_end), array_agg(seconds)) END AS seconds,
           sum(amount) - coalesce(sum(corrected) FILTER (WHERE (told_from < charge_period_end AND charge_period_start < told_to) IS NOT TRUE), 0)
               AS amount
    FROM placed
    CROSS JOIN LATERAL (SELECT CASE resource_key WHEN 0 THEN fleet_from ELSE node_from END, CASE resource_key WHEN 0 THEN fleet_to ELSE node_to END)
               AS told (told_from, told_to)
    GROUP BY fleet, resource_key
)
SELECT fleet, sum(amount) * 3600 / nullif(sum(seconds), 0) AS price_per_node_hour, sum(seconds) / 3600 AS node_hours
FROM node
GROUP BY fleet;

INSERT INTO serving_cost (statement_month, fleet, cost_centre, price_per_replica_hour, price_from, fixed_per_hour, latency_percentile,
                          latency_limit_ms, outcome)
SELECT statement_month, fleet, cost_centre,
       trim_scale(coalesce(price_per_replica_hour, round(price_per_node_hour * nodes_per_replica, 12))),
       CASE WHEN match IS NULL THEN 'declared'
            WHEN price_per_node_hour IS NULL THEN 'no hours of ' || match || ' ' || pattern || ' on the bill'
            ELSE 'the bill: ' || trim_scale(round(node_hours, 2)) || ' node-hours of ' || match || ' ' || pattern
                 || CASE WHEN nodes_per_replica <> 1 THEN ', ' || trim_scale(nodes_per_replica) || ' a replica' ELSE '' END END,
       fixed_per_hour, trim_scale(latency_percentile), trim_scale(latency_limit_ms), 'not judged'
FROM serving_fleet
CROSS JOIN month
LEFT JOIN fleet_price USING (fleet)
WHERE valid_from <= last_day AND valid_to > last_day;

INSERT INTO serving_size (statement_month, fleet, replicas, tokens_per_second, latency_ms)
SELECT statement_month, fleet, replicas, trim_scale(tokens_per_second), trim_scale(latency_ms)
FROM serving_measurement
CROSS JOIN month
JOIN serving_cost USING (statement_month, fleet, latency_percentile)
WHERE valid_from <= last_day AND valid_to > last_day;

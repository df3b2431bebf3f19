-- The serving fleets in force on the month's last day: the price of a replica, and the measured
-- replica counts (docs/unit-costs.md). The model then chooses among these counts.

-- The time that charge periods of one node measure together (docs/allocation.md, Priced time and
-- p). A charge period that contains others contributes the larger of its own time and their sum.
-- The arrays open_… hold the periods around the current one, the innermost last.
CREATE OR REPLACE FUNCTION pg_temp.measured_once(starts timestamptz[], ends timestamptz[], measured numeric[]) RETURNS numeric
LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
    charge_period record;
    open_ends     timestamptz[] := ARRAY['infinity'];
    open_measured     numeric[] := ARRAY[0];
    open_within   numeric[] := ARRAY[0];
    innermost     integer := 1;
BEGIN
    FOR charge_period IN
        SELECT start_time, end_time, seconds
        FROM unnest(starts || 'infinity'::timestamptz, ends || 'infinity'::timestamptz, measured || 0::numeric) AS period (start_time, end_time, seconds)
        ORDER BY start_time, end_time DESC
    LOOP
        WHILE innermost > 1 AND (open_ends[innermost] < charge_period.end_time OR open_ends[innermost] <= charge_period.start_time) LOOP
            innermost := innermost - 1;
            open_within[innermost] := open_within[innermost] + greatest(open_measured[innermost + 1], open_within[innermost + 1]);
        END LOOP;
        innermost := innermost + 1;
        open_ends[innermost] := charge_period.end_time;
        open_measured[innermost] := charge_period.seconds;
        open_within[innermost] := 0;
    END LOOP;
    RETURN open_within[1];
END
$$;

-- The price of a node-hour of a fleet: effective cost of its hardware lines ÷ the hours that they
-- bill. If several SKUs (Google) bill one node at one time, the longest time counts. Times of one
-- SKU are added up; if they exceed the period, the longest counts. Without a time a node is billed
-- for as long as the inventory knows it, another resource for all of the charge period. Lines
-- without a resource may bill many at once: all their times are added up. A Correction that lies
-- before or after all hours of its node (of the fleet, if it names no node) is of hours that
-- another statement priced, as in charges.
CREATE TEMP TABLE fleet_class ON COMMIT DROP AS
WITH named AS (
    SELECT fleet, match, glob_to_like(pattern) AS wanted
    FROM serving_fleet
    CROSS JOIN month
    WHERE valid_from <= last_day AND valid_to > last_day
)
SELECT fleet, line_class.*
FROM named
JOIN class_attribute USING (match)
JOIN line_class USING (class_id)
WHERE value LIKE wanted AND charge_part = 'hardware' AND charge_category = 'Usage'
  AND commitment_discount_status IS DISTINCT FROM 'Unused' AND capacity_reservation_status IS DISTINCT FROM 'Unused';

ANALYZE fleet_class;

-- PostgreSQL expects one line where there are all, and would compare each line with each class.
SET LOCAL enable_nestloop = off;
CREATE TEMP TABLE fleet_price ON COMMIT DROP AS
WITH own_line AS (
    SELECT fleet, node_key, charge_period_start, charge_period_end, sku_id, line.effective_cost * exchange_rate AS amount,
           charge_class IS NOT DISTINCT FROM 'Correction' AS is_correction, is_hours, period_seconds,
           CASE WHEN NOT is_hours THEN NULL
                WHEN node_key IN (SELECT resource_key FROM node_resource)
                    THEN time_billed(consumed_quantity, consumed_unit_seconds, pricing_quantity, pricing_unit_seconds, period_seconds)
                ELSE coalesce(consumed_quantity * consumed_unit_seconds, pricing_quantity * pricing_unit_seconds,
                              CASE node_key WHEN 0 THEN period_seconds END) END AS seconds
    -- Planned by itself: one pass over the lines, and none without a fleet.
    FROM (SELECT * FROM line WHERE EXISTS (SELECT class_id FROM fleet_class) OFFSET 0) AS line
    JOIN fleet_class USING (invoice_key, charge_kind_key, account_key, resource_key, sku_key, commitment_key, tag_set_key,
                     charge_description_key, epoch)
    JOIN invoice_rate USING (invoice_key)
    CROSS JOIN LATERAL (SELECT seconds_between(charge_period_start, charge_period_end),
                               charge_class IS DISTINCT FROM 'Correction' AND line.billed_cost >= 0 AND line.effective_cost >= 0)
               AS of_line (period_seconds, is_hours)
), sku_time AS (
    SELECT fleet, node_key, charge_period_start, charge_period_end, sku_id, period_seconds, bool_or(is_hours) AS is_hours,
           CASE WHEN node_key = 0 OR sum(seconds) <= period_seconds THEN sum(seconds) ELSE max(seconds) END AS seconds,
           sum(amount) AS amount, sum(amount) FILTER (WHERE is_correction) AS corrected
    FROM own_line
    GROUP BY fleet, node_key, charge_period_start, charge_period_end, sku_id, period_seconds
), billed AS (
    SELECT fleet, node_key, charge_period_start, charge_period_end, period_seconds, bool_or(is_hours) AS is_hours, max(seconds) AS seconds,
           sum(amount) AS amount, sum(corrected) AS corrected
    FROM sku_time
    GROUP BY fleet, node_key, charge_period_start, charge_period_end, period_seconds, CASE node_key WHEN 0 THEN sku_id END
), slot AS (
    SELECT fleet, node_key, charge_period_start, charge_period_end, amount, corrected,
           CASE WHEN is_hours THEN coalesce(seconds, present_seconds, period_seconds) ELSE 0 END AS seconds
    FROM billed
    LEFT JOIN LATERAL (SELECT sum(seconds_between(greatest(valid_from, charge_period_start), least(valid_to, charge_period_end))) AS present_seconds
                       FROM node_resource
                       WHERE is_hours AND seconds IS NULL AND resource_key = node_key
                         AND valid_from < charge_period_end AND charge_period_start < valid_to) AS inventory ON true
), placed AS ( -- one sort serves both windows: the fleet, and each of its nodes
    SELECT slot.*,
           min(charge_period_start) FILTER (WHERE seconds > 0) OVER fleet AS fleet_from, max(charge_period_end) FILTER (WHERE seconds > 0) OVER fleet AS fleet_to,
           min(charge_period_start) FILTER (WHERE seconds > 0) OVER node AS node_from, max(charge_period_end) FILTER (WHERE seconds > 0) OVER node AS node_to
    FROM slot
    WINDOW fleet AS (PARTITION BY fleet), node AS (PARTITION BY fleet, node_key)
), node AS ( -- a longer charge period repeats the time of those within it
    SELECT fleet, CASE node_key WHEN 0 THEN sum(seconds)
                       ELSE pg_temp.measured_once(array_agg(charge_period_start), array_agg(charge_period_end), array_agg(seconds)) END AS seconds,
           sum(amount) - coalesce(sum(corrected) FILTER (WHERE (measured_from < charge_period_end AND charge_period_start < measured_to) IS NOT TRUE), 0)
               AS amount
    FROM placed
    CROSS JOIN LATERAL (SELECT CASE node_key WHEN 0 THEN fleet_from ELSE node_from END, CASE node_key WHEN 0 THEN fleet_to ELSE node_to END)
               AS measured (measured_from, measured_to)
    GROUP BY fleet, node_key
)
SELECT fleet, sum(amount) * 3600 / nullif(sum(seconds), 0) AS price_per_node_hour, sum(seconds) / 3600 AS node_hours
FROM node
GROUP BY fleet;
SET LOCAL enable_nestloop TO DEFAULT;

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

-- The energy that nodes drew for each attempt and when idle, with its carbon (docs/energy.md). A
-- month without a row of node_power.csv in force has neither.
CREATE TEMP TABLE energy_day ON COMMIT DROP AS
SELECT statement_month, day::date AS day, day AS day_from, day + interval '1 day' AS day_to
FROM month
CROSS JOIN LATERAL generate_series(month_start, month_end - interval '1 day', interval '1 day') AS day
WHERE EXISTS (SELECT FROM node_power WHERE valid_from <= last_day AND valid_to > statement_month);

ANALYZE energy_day;

-- Each attempt's time on a node × its share, day by day (UTC). While the shares of a node add up to
-- more than 1, they are scaled down (overloaded_node, 16_node_rates.sql).
CREATE TEMP TABLE held_energy ON COMMIT DROP AS
SELECT attempt_id, cluster, node, coalesce(node_type, '') AS node_type, day,
       share * (seconds_between(day_held_from, day_held_to) - coalesce(too_much_seconds, 0)) AS node_seconds
FROM node_time
CROSS JOIN LATERAL generate_series(date_trunc('day', held_from, 'UTC'), held_to - interval '1 microsecond', interval '1 day') AS held_day
JOIN energy_day ON day_from = held_day
CROSS JOIN LATERAL (SELECT greatest(held_from, day_from), least(held_to, day_to)) AS within_day (day_held_from, day_held_to)
LEFT JOIN LATERAL (SELECT sum(seconds_between(greatest(span_from, day_held_from), least(span_to, day_held_to)) * too_much) AS too_much_seconds
                   FROM overloaded_node
                   WHERE overloaded_node.cluster = node_time.cluster AND overloaded_node.node = node_time.node
                     -- The same search as in 16_node_rates.sql.
                     AND span_from >= coalesce((SELECT max(span_from)
                                                FROM overloaded_node AS before
                                                WHERE before.cluster = node_time.cluster AND before.node = node_time.node AND span_from <= day_held_from),
                                               '-infinity')
                     AND span_from < day_held_to AND day_held_from < span_to) AS scaled ON true
WHERE EXISTS (SELECT FROM energy_day); -- checked once, before any time is read

-- Idle nodes of the inventory, up to the horizon of their cluster: later holders are not known yet.
-- Of several inventory rows of a node the earliest gives type and pool.
CREATE TEMP TABLE idle_node_day ON COMMIT DROP AS
WITH present AS (
    SELECT cluster, node, day, (array_agg(coalesce(node_type, '') ORDER BY valid_from, resource_id))[1] AS node_type,
           (array_agg(coalesce(idle_pool, '') ORDER BY valid_from, resource_id))[1]                    AS pool,
           seconds_within(range_agg(tstzrange(greatest(valid_from, day_from), least(valid_to, day_to, horizon)))) AS present_seconds
    FROM node_inventory
    JOIN recorded_cluster USING (cluster)
    JOIN energy_day ON valid_from < least(day_to, horizon) AND day_from < least(valid_to, horizon)
    GROUP BY cluster, node, day
)
SELECT cluster, node_type, pool, day, greatest(present_seconds - coalesce(node_seconds, 0), 0) AS node_seconds
FROM present
LEFT JOIN (SELECT cluster, node, day, sum(node_seconds) AS node_seconds FROM held_energy GROUP BY cluster, node, day) AS held
          USING (cluster, node, day);

-- Power and grid of a day. A row with the node's type goes before one without, then a row with the
-- cluster before one without.
CREATE TEMP TABLE power_of_day ON COMMIT DROP AS
SELECT DISTINCT ON (place.cluster, place.node_type, day) place.cluster, place.node_type, day, watts_at_load, watts_idle
FROM (SELECT cluster, node_type, day FROM held_energy UNION SELECT cluster, node_type, day FROM idle_node_day) AS place
JOIN node_power ON node_power.cluster IN ('', place.cluster) AND node_power.node_type IN ('', place.node_type)
               AND valid_from <= day AND day < valid_to
ORDER BY place.cluster, place.node_type, day, node_power.node_type = '', node_power.cluster = '';

CREATE TEMP TABLE grid_of_day ON COMMIT DROP AS
SELECT DISTINCT ON (place.cluster, day) place.cluster, day, grams_per_kwh, pue
FROM (SELECT cluster, day FROM held_energy UNION SELECT cluster, day FROM idle_node_day) AS place
JOIN grid_intensity ON grid_intensity.cluster IN ('', place.cluster) AND valid_from <= day AND day < valid_to
ORDER BY place.cluster, day, grid_intensity.cluster = '';

ANALYZE power_of_day, grid_of_day;

-- Sums are exact: watt-seconds, and watt-seconds × grams per kWh. Only published figures are
-- rounded.
INSERT INTO job_energy (statement_month, attempt_id, cost_centre, node_hours, unpowered_node_hours, kwh, kwh_without_intensity, kg_co2e)
WITH drawn AS (
    SELECT attempt_id, node_seconds, watts_at_load, node_seconds * watts_at_load * coalesce(pue, 1) AS watt_seconds, grams_per_kwh
    FROM held_energy
    LEFT JOIN power_of_day USING (cluster, node_type, day)
    LEFT JOIN grid_of_day USING (cluster, day)
), added_up AS (
    SELECT attempt_id,
           coalesce(sum(node_seconds) FILTER (WHERE watts_at_load IS NOT NULL), 0) AS node_seconds,
           coalesce(sum(node_seconds) FILTER (WHERE watts_at_load IS NULL), 0)     AS unpowered_seconds,
           coalesce(sum(watt_seconds), 0)                                          AS watt_seconds,
           coalesce(sum(watt_seconds) FILTER (WHERE grams_per_kwh IS NULL), 0)     AS ungridded,
           coalesce(sum(watt_seconds * grams_per_kwh), 0)                          AS grams
    FROM drawn
    GROUP BY attempt_id
)
SELECT statement_month, attempt_id, cost_centre, round(added_up.node_seconds / 3600, 6), round(unpowered_seconds / 3600, 6),
       round(watt_seconds / 3600000, 6), round(ungridded / 3600000, 6), round(grams / 3600000000, 6)
FROM added_up
JOIN attempt_month USING (attempt_id)
CROSS JOIN month;

INSERT INTO idle_energy (statement_month, pool, cluster, node_hours, unpowered_node_hours, kwh, kwh_without_intensity, kg_co2e)
WITH drawn AS (
    SELECT pool, cluster, node_seconds, watts_idle, node_seconds * watts_idle * coalesce(pue, 1) AS watt_seconds, grams_per_kwh
    FROM idle_node_day
    LEFT JOIN power_of_day USING (cluster, node_type, day)
    LEFT JOIN grid_of_day USING (cluster, day)
    WHERE node_seconds > 0
)
SELECT statement_month, pool, cluster,
       round(coalesce(sum(node_seconds) FILTER (WHERE watts_idle IS NOT NULL), 0) / 3600, 6),
       round(coalesce(sum(node_seconds) FILTER (WHERE watts_idle IS NULL), 0) / 3600, 6),
       round(coalesce(sum(watt_seconds), 0) / 3600000, 6),
       round(coalesce(sum(watt_seconds) FILTER (WHERE grams_per_kwh IS NULL), 0) / 3600000, 6),
       round(coalesce(sum(watt_seconds * grams_per_kwh), 0) / 3600000000, 6)
FROM drawn
CROSS JOIN month
GROUP BY statement_month, pool, cluster;

-- As at the end of 05_job_results.sql: workbooks are written from this table next.
SELECT analyze_tables('job_energy');

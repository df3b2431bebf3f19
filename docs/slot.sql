-- Who pays for the lines of one node in one month: docs/allocation.md, Nodes, rule by rule. Lines
-- in quotes are from there.
--
--     kstar db psql -- -v month=2026-09 -v resource=i-0abc -f slot.sql
--
-- kstar makes its statements with a program (model/allocation), not with this file. While the month
-- is open both say the same, digit for digit.
-- The file prints slots and how long each was billed, then the weights in each, then the parts of
-- each line. Times are seconds. Nothing is changed.
\set ON_ERROR_STOP on
\set QUIET on
BEGIN ISOLATION LEVEL REPEATABLE READ;
SET LOCAL search_path = kstar;
SET LOCAL timezone = 'UTC';
SELECT to_date(:'month', 'YYYY-MM') AS month \gset

-- "The inventory says which node a resource was". recorded_to: the last time that the job records
-- of the cluster cover.
CREATE TEMP TABLE inventory ON COMMIT DROP AS
SELECT row_number() OVER (ORDER BY valid_from, cluster, node) AS turn, cluster, node, valid_from, valid_to, idle_pool,
       coalesce(cpus, 0) AS node_cpus, coalesce(accelerators, 0) AS node_accelerators,
       coalesce((SELECT max(horizon) FROM job JOIN job_horizon USING (source) WHERE cluster = node_inventory.cluster), '-infinity') AS recorded_to
FROM node_inventory
WHERE lower(resource_id) IN (lower(:'resource'), lower(regexp_replace(:'resource', '^.*/', '')));

-- Its lines, without those that rules 0 and 1 take first. Of earlier statements they tell how long
-- Corrections are for.
CREATE TEMP TABLE line ON COMMIT DROP AS
SELECT CASE WHEN right(label, length(path) + 1) = '/' || path THEN label ELSE label || '/' || path END AS file, first_line + line_in_chunk AS line,
       row_in_record AS line_in_record, load.statement_month < :'month' AS is_earlier, is_correction, load.source,
       charge_period_start AS begins, charge_period_end AS ends, period, coalesce(sku_id, '') AS sku, billed_cost, effective_cost,
       coalesce(list_cost, contracted_cost, uncommitted) AS list_cost, coalesce(contracted_cost, uncommitted) AS contracted_cost,
       NOT takes_back AND charge_category NOT IN ('Credit', 'Adjustment') AND service_category IN ('Compute', 'AI and Machine Learning')
           AND (is_time_unit(consumed_unit) OR is_time_unit(pricing_unit)) AS is_machine_time,
       -- consumed quantity, else pricing quantity, if it is a time within the period
       CASE WHEN NOT takes_back AND charge_category = 'Usage' THEN
           time_billed(consumed_quantity, seconds_of_unit(consumed_unit), pricing_quantity, seconds_of_unit(pricing_unit), period) END AS reported
FROM statement_load
JOIN load USING (load_id, statement_month) JOIN load_chunk USING (load_id, billing_period) JOIN billing_line USING (chunk_id, billing_period)
JOIN resource USING (resource_key) JOIN charge_kind USING (charge_kind_key) LEFT JOIN sku USING (sku_key) LEFT JOIN commitment USING (commitment_key)
JOIN source_file USING (file_id) JOIN delivery ON delivery.delivery_id = source_file.delivery_id
CROSS JOIN LATERAL (
    SELECT seconds_between(charge_period_start, charge_period_end) AS period, charge_class IS NOT DISTINCT FROM 'Correction' AS is_correction,
           charge_class IS NOT DISTINCT FROM 'Correction' OR billed_cost < 0 OR effective_cost < 0 AS takes_back,
           CASE WHEN charge_category = 'Usage' AND commitment_discount_status = 'Unused' THEN 0
                WHEN charge_category = 'Usage' AND (commitment_discount_status = 'Used' OR pricing_category = 'Committed') THEN coalesce(list_cost, effective_cost)
                ELSE effective_cost END AS uncommitted) AS said
WHERE lower(resource_id) = lower(:'resource') AND load.statement_month <= :'month'
  AND charge_category <> 'Tax' AND NOT (charge_category = 'Purchase' AND commitment_discount_id IS NOT NULL AND effective_cost = 0)
  AND NOT EXISTS (SELECT FROM job WHERE lower(job.resource_id) = lower(:'resource'))
  AND EXISTS (SELECT FROM inventory WHERE valid_from < charge_period_end + interval '1 hour' AND valid_to > charge_period_start - interval '1 hour');

-- "A slot is one source, one node and one charge period." Times of one SKU are added up; if the sum
-- exceeds the period, the longest counts. Of several SKUs the longest counts. of_corrections: the
-- slot once more, with the lines of earlier statements.
CREATE TEMP TABLE slot ON COMMIT DROP AS
SELECT row_number() OVER (ORDER BY of_corrections, begins, ends DESC, source COLLATE "C") AS slot, of_corrections, source, begins, ends, period,
       max(time_of_sku) AS reported, bool_or(has_machine_time) AS has_machine_time, bool_or(has_lines) AS has_lines
FROM (SELECT of_corrections, source, begins, ends, period, bool_or(is_machine_time) AS has_machine_time,
             bool_or(NOT is_earlier AND is_correction = of_corrections) AS has_lines,
             CASE WHEN sum(reported) > period THEN max(reported) ELSE sum(reported) END AS time_of_sku
      FROM line CROSS JOIN (VALUES (false), (true)) AS kind (of_corrections)
      WHERE of_corrections OR NOT is_earlier
      GROUP BY of_corrections, source, begins, ends, period, sku) AS of_sku
GROUP BY of_corrections, source, begins, ends, period;

-- Rows of the inventory in each slot. "If none is valid in the charge period, the first one within
-- an hour (by valid_from, cluster, node) stands for all of it, and nobody held the node."
CREATE TEMP TABLE presence ON COMMIT DROP AS
SELECT slot, turn, cluster, node, node_cpus, node_accelerators, recorded_to, idle_pool, is_valid,
       CASE WHEN is_valid THEN greatest(begins, valid_from) ELSE begins END AS present_from,
       CASE WHEN is_valid THEN least(ends, valid_to) ELSE ends END AS present_to
FROM (SELECT *, bool_or(is_valid) OVER (PARTITION BY slot) AS has_valid, min(turn) OVER (PARTITION BY slot) AS first_turn
      FROM slot
      JOIN inventory ON valid_from < ends + interval '1 hour' AND valid_to > begins - interval '1 hour'
      CROSS JOIN LATERAL (SELECT valid_from < ends AND begins < valid_to AS is_valid) AS overlap) AS near
WHERE is_valid OR (NOT has_valid AND turn = first_turn);

-- "If no line reports a time, the reported times of shorter slots inside are added up, of the same
-- source and node, none inside another counted one, at most the charge period." "Otherwise it is
-- the time that the inventory knows the node for."
CREATE TEMP TABLE billed_slot ON COMMIT DROP AS
SELECT slot.*, present, unrecorded, coalesce(reported, CASE WHEN inside > period THEN period ELSE inside END, present) AS billed
FROM slot
JOIN (SELECT slot, sum(seconds_between(present_from, present_to)) AS present,
             sum(seconds_between(greatest(present_from, least(recorded_to, present_to)), present_to)) AS unrecorded
      FROM presence GROUP BY slot) AS known USING (slot)
CROSS JOIN LATERAL (
    SELECT sum(reported) AS inside
    FROM slot AS shorter
    WHERE (of_corrections, source) = (slot.of_corrections, slot.source) AND begins >= slot.begins AND ends <= slot.ends
      AND NOT EXISTS (SELECT FROM slot AS counted
                      WHERE (of_corrections, source) = (slot.of_corrections, slot.source) AND reported > 0 AND counted.slot <> shorter.slot
                        AND begins BETWEEN slot.begins AND shorter.begins AND ends BETWEEN shorter.ends AND slot.ends)) AS nested;

-- Who held the node in a slot. Share = units ÷ capacity: "accelerators, else CPUs, else all of it".
-- "A CPU job pays nothing for a node that has accelerators", unless it has all CPUs of the node. Of
-- an attempt that the system broke, kept ÷ run is not refunded.
CREATE TEMP TABLE hold ON COMMIT DROP AS
SELECT slot, attempt_id, seconds_between(held_from, held_to) AS held, least(share[1], share[2]) AS units, share[2] AS capacity,
       coalesce(refund.run - refunded, 1) AS kept, coalesce(refunded, 0) AS refunded, coalesce(refund.run, 1) AS run, refund.pool
FROM presence
JOIN job_node USING (cluster, node) JOIN job USING (attempt_id, cluster) JOIN job_horizon USING (source) LEFT JOIN job_listing USING (source, cluster)
CROSS JOIN LATERAL (SELECT coalesce(job.end_time, greatest(job.start_time, least(horizon, known_to(exported_to, followed_at, listed_to)))) AS ended) AS up
CROSS JOIN LATERAL (SELECT greatest(job_node.start_time, present_from) AS held_from, least(coalesce(job_node.end_time, ended), present_to) AS held_to,
    CASE WHEN node_accelerators > 0 AND job_node.accelerators IS NOT NULL THEN ARRAY[job_node.accelerators, node_accelerators]
         WHEN node_accelerators > 0 AND lists_no_accelerators AND (node_cpus = 0 OR coalesce(job.cpus / nullif(node_count, 0), 0) < node_cpus)
              AND cluster IN (SELECT cluster FROM job WHERE accelerators > 0 AND start_time < :'month'::date + interval '1 month') THEN ARRAY[0, 1]
         WHEN node_cpus > 0 AND job_node.cpus IS NOT NULL THEN ARRAY[job_node.cpus, node_cpus] ELSE ARRAY[1, 1] END AS share) AS part
-- "up to maximum_hours of its run time", in microseconds; all of it, if there was none
LEFT JOIN LATERAL (
    SELECT pool, greatest(seconds * 1000000, 1) AS run,
           CASE WHEN seconds > 0 THEN round(least(maximum_hours * 3600, seconds) * 1000000) ELSE 1 END AS refunded
    FROM refund_rule CROSS JOIN LATERAL (SELECT seconds_between(job.start_time, ended)) AS whole (seconds)
    WHERE state = job.state AND refund_rule.cluster IN ('', job.cluster) AND valid_from <= job.start_time::date AND job.start_time::date < valid_to
    ORDER BY refund_rule.cluster = '', valid_from
    LIMIT 1) AS refund ON true
WHERE is_valid AND held_from < held_to;

-- "The billed time is divided among those who had it." Weights are whole numbers: seconds ×
-- `whole`, which every divisor divides. "Weights above the billed time are scaled down to it" by
-- the split itself. "A charge period without length is idle."
CREATE TEMP TABLE weight ON COMMIT DROP AS
WITH scaled AS (
    SELECT billed_slot.*, coalesce(divisor, 1) * CASE WHEN present > 0 THEN present * 1000000 ELSE 1 END AS whole
    FROM billed_slot LEFT JOIN (SELECT slot, product(DISTINCT capacity * run) AS divisor FROM hold GROUP BY slot) AS held USING (slot)
), had AS (
    SELECT slot, turn, target, attempt_id, payer AS pool, sum(held * units * part * div(whole, capacity * run)) AS weight
    FROM hold JOIN scaled USING (slot)
    CROSS JOIN LATERAL (VALUES (1, 'attempt', kept, NULL), (2, 'refund', refunded, pool)) AS of_run (turn, target, part, payer)
    GROUP BY slot, turn, target, attempt_id, payer
), rest AS (
    SELECT slot, billed * whole AS billed, CASE WHEN unrecorded > 0 THEN billed * unrecorded * div(whole, present) ELSE 0 END AS without_records,
           (SELECT coalesce(sum(weight), 0) FROM had WHERE slot = scaled.slot) AS held,
           (SELECT idle_pool FROM presence WHERE slot = scaled.slot ORDER BY turn LIMIT 1) AS idle_pool
    FROM scaled
)
SELECT * FROM had WHERE weight > 0
UNION ALL
SELECT slot, 3, 'idle', NULL, idle_pool, greatest(billed - without_records - held, (billed = 0)::integer) FROM rest
WHERE billed > without_records + held OR billed = 0
UNION ALL
SELECT slot, 4, 'without records', NULL, NULL, without_records FROM rest WHERE without_records > 0;

-- "Each second of a node is priced once": a slot counts its own time, or that of the slots inside
-- it, whichever is more.
CREATE TEMP TABLE nested_slot ON COMMIT DROP AS
SELECT slot, billed,
       (SELECT slot FROM billed_slot AS outer_slot
        WHERE has_machine_time AND NOT of_corrections AND begins <= inner_slot.begins AND ends >= inner_slot.ends AND ends > inner_slot.begins
          AND ((begins, ends) <> (inner_slot.begins, inner_slot.ends) OR slot < inner_slot.slot)
        -- "the one that begins last, then to the shortest"
        ORDER BY begins DESC, ends, slot DESC LIMIT 1) AS outer_slot
FROM billed_slot AS inner_slot
WHERE has_machine_time AND NOT of_corrections;

CREATE FUNCTION pg_temp.counted_inside(around bigint) RETURNS SETOF nested_slot LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY
    SELECT counted.*
    FROM nested_slot AS one
    CROSS JOIN LATERAL (SELECT one.billed > coalesce(sum(inside.billed), 0) AS is_more FROM pg_temp.counted_inside(one.slot) AS inside) AS own_time
    CROSS JOIN LATERAL (SELECT one.* WHERE is_more UNION ALL SELECT * FROM pg_temp.counted_inside(one.slot) WHERE NOT is_more) AS counted
    WHERE one.outer_slot IS NOT DISTINCT FROM around;
END $$;
CREATE TEMP TABLE priced_slot ON COMMIT DROP AS SELECT slot FROM pg_temp.counted_inside(NULL);

SELECT slot, source, begins, ends, of_corrections, reported, present, billed, slot IN (SELECT slot FROM priced_slot) AS is_priced
FROM billed_slot WHERE has_lines ORDER BY slot;

-- "Held seconds of a part are its weight after scaling, rounded half up to microseconds."
SELECT slot, target, attempt_id, job_id, pool, weight, trim_scale(div(2000000 * billed * weight + total, 2 * total) / 1000000) AS held_seconds
FROM (SELECT weight.*, billed, sum(weight) OVER (PARTITION BY slot) AS total FROM weight JOIN billed_slot USING (slot) WHERE has_lines) AS of_slot
LEFT JOIN job USING (attempt_id)
ORDER BY slot, turn, attempt_id;

-- "Each line of the slot is split alone", each cost for itself, exactly: split_parts() gives what
-- is left over to the largest remainders.
SELECT slot, file, line, line_in_record, target, attempt_id, pool,
       (split_parts(billed_cost, weights))[place] AS billed_cost, (split_parts(effective_cost, weights))[place] AS effective_cost,
       (split_parts(list_cost, weights))[place] AS list_cost, (split_parts(contracted_cost, weights))[place] AS contracted_cost
FROM line
JOIN slot USING (source, begins, ends)
JOIN (SELECT *, row_number() OVER (PARTITION BY slot ORDER BY turn, attempt_id) AS place FROM weight) AS weighed USING (slot)
JOIN (SELECT slot, array_agg(weight ORDER BY turn, attempt_id) AS weights FROM weight GROUP BY slot) AS of_slot USING (slot)
WHERE NOT is_earlier AND of_corrections = is_correction
ORDER BY slot, file, line, line_in_record, place;

ROLLBACK;

-- Rule 2: lines whose resource is a node, and who held it (docs/allocation.md, section 4).

-- Rows of the inventory under the keys of the bill's resources: by the whole id, or by what follows its last '/'.
CREATE TEMP TABLE node_resource ON COMMIT DROP AS
WITH billed AS (
    SELECT DISTINCT resource_key, lower(resource_id) AS whole_id, lower(regexp_replace(resource_id, '^.*/', '')) AS last_part
    FROM line_class
    WHERE resource_id IS NOT NULL
), matched AS (
    SELECT resource_key, node_inventory.*
    FROM billed JOIN node_inventory ON lower(node_inventory.resource_id) = whole_id
    UNION
    SELECT resource_key, node_inventory.*
    FROM billed JOIN node_inventory ON lower(node_inventory.resource_id) = last_part
)
SELECT resource_key, cluster, node, lower(resource_id) AS resource_id, node_type, source, accelerators, cpus, idle_pool, valid_from, valid_to
FROM matched;

CREATE INDEX ON node_resource (resource_key);
ANALYZE node_resource;

-- The last time that the job records of a cluster cover. A cluster that no job source names has none: all of its
-- node cost awaits job records.
CREATE TEMP TABLE cluster_horizon ON COMMIT DROP AS
SELECT cluster, max(horizon) AS horizon
FROM (SELECT DISTINCT cluster, source FROM job) AS cluster_source
JOIN job_horizon USING (source)
GROUP BY cluster;

ANALYZE cluster_horizon;

-- A slot is one charge period of one node. Lines of several SKUs (Google: cores, memory, accelerators) share it.
CREATE TEMP TABLE slot ON COMMIT DROP AS
SELECT row_number() OVER () AS slot_id, resource_key, charge_period_start, charge_period_end
FROM (SELECT DISTINCT classed_line.resource_key, charge_period_start, charge_period_end
      FROM classed_line JOIN line_class USING (class_id)
      WHERE charge_category <> 'Tax' AND classed_line.resource_key IN (SELECT resource_key FROM node_resource)) AS billed;

-- An instance is billed before its node is there and after it is gone: a slot that ends an hour before a row or begins
-- an hour after it, at most, and that no row overlaps, is that node's all the same, held by nobody (is_named false).
CREATE TEMP TABLE slot_node ON COMMIT DROP AS
WITH named AS (
    SELECT slot_id, cluster, node, resource_id, node_type, source, accelerators, cpus, idle_pool, valid_from, true AS is_named,
           greatest(charge_period_start, valid_from) AS present_from,
           least(charge_period_end, valid_to)        AS present_to
    FROM slot
    JOIN node_resource USING (resource_key)
    WHERE valid_from < charge_period_end AND charge_period_start < valid_to
), starting_or_ending AS (
    SELECT DISTINCT ON (slot_id) slot_id, cluster, node, resource_id, node_type, source, accelerators, cpus, idle_pool, valid_from, false,
           charge_period_start, charge_period_end
    FROM slot
    JOIN node_resource USING (resource_key)
    WHERE valid_from < charge_period_end + interval '1 hour' AND charge_period_start - interval '1 hour' < valid_to
      AND NOT EXISTS (SELECT FROM named WHERE named.slot_id = slot.slot_id)
    ORDER BY slot_id, valid_from, cluster, node
)
SELECT present.*,
       greatest(present_from, least(present_to, coalesce(horizon, '-infinity'))) AS recorded_to
FROM (SELECT * FROM named UNION ALL SELECT * FROM starting_or_ending) AS present
LEFT JOIN cluster_horizon USING (cluster);

ANALYZE slot_node;

-- Weights are whole multiples of 1 ÷ (grain · present_seconds), so that they can be compared and summed without a
-- quotient: grain is a common multiple of the capacities that shares divide by.
CREATE TEMP TABLE slot_capacity ON COMMIT DROP AS
SELECT slot_id,
       product(greatest(accelerators, 1)::numeric * greatest(cpus, 1))           AS grain,
       sum(seconds_between(present_from, present_to))                            AS present_seconds,
       sum(seconds_between(recorded_to, present_to))                             AS awaiting_seconds,
       (array_agg(idle_pool ORDER BY valid_from, cluster, node))[1]              AS idle_pool,
       (array_agg(cluster || '/' || node ORDER BY valid_from, cluster, node))[1] AS node
FROM slot_node
GROUP BY slot_id;

-- Who pays for idle is a choice: of a day of a closed month, and in a replay of any other day, the pool that was frozen with it. Of
-- several rows of a node the last that began by then, else the first; of a node that the close did not know its type's pool, or its
-- cluster's (docs/close.md).
CREATE TEMP TABLE closed_slot ON COMMIT DROP AS
SELECT DISTINCT ON (slot_id) slot_id, coalesce(closed_month.statement_month, replayed_month) AS statement_month,
       cluster, node, resource_id, CASE WHEN source IS NOT NULL THEN coalesce(node_type, '') END AS told_type, present_from
FROM slot_node
JOIN slot USING (slot_id)
CROSS JOIN month
LEFT JOIN closed_month ON closed_month.statement_month = date_trunc('month', charge_period_start AT TIME ZONE 'UTC')::date
WHERE coalesce(closed_month.statement_month, replayed_month) IS NOT NULL
ORDER BY slot_id, valid_from, cluster, node;

ANALYZE closed_slot;

WITH known AS (
    SELECT slot_id, 1 AS turn, valid_from, present_from, idle_pool
    FROM closed_slot
    JOIN frozen_idle_pool USING (statement_month, cluster, node, resource_id)
    UNION ALL
    SELECT slot_id, CASE WHEN idle_pool IS NULL THEN 4 WHEN node_type = '' THEN 3 ELSE 2 END, NULL, NULL, idle_pool
    FROM closed_slot
    JOIN frozen_type_pool USING (statement_month, cluster)
    WHERE node_type IN ('', told_type) AND told_type IS NOT NULL
), frozen AS (
    SELECT DISTINCT ON (slot_id) slot_id, idle_pool
    FROM known
    ORDER BY slot_id, turn, valid_from > present_from, CASE WHEN valid_from <= present_from THEN valid_from END DESC, valid_from
)
UPDATE slot_capacity
SET idle_pool = frozen.idle_pool
FROM frozen
WHERE frozen.slot_id = slot_capacity.slot_id;

CREATE UNIQUE INDEX ON slot_capacity (slot_id);

-- Slots and holds meet span by span, three times as long as a slot is on the average: a month of one node has as many pairs of them as its
-- hours times its jobs, three hours few. Both are tables, so that the span is a key of the join and nothing that is looked at afterwards.
CREATE TEMP TABLE span ON COMMIT DROP AS
SELECT least(interval '1 day', greatest(interval '1 hour', 3 * avg(present_to - present_from))) AS length,
       min(present_from) AS first,
       max(present_to)   AS last
FROM slot_node
WHERE is_named;

ANALYZE span;

CREATE TEMP TABLE slot_span ON COMMIT DROP AS
SELECT slot_id, cluster, slot_node.node, accelerators, cpus, present_from, present_to, grain, present_seconds, span_start
FROM slot_node
JOIN slot_capacity USING (slot_id)
CROSS JOIN span
CROSS JOIN LATERAL generate_series(date_bin(length, present_from, first), present_to - interval '1 microsecond', length) AS span_start
WHERE is_named;

ANALYZE slot_span;

CREATE TEMP TABLE held_span ON COMMIT DROP AS
SELECT held_node.*, span_start
FROM held_node
CROSS JOIN span
CROSS JOIN LATERAL generate_series(date_bin(length, greatest(start_time, first), first), least(end_time, last) - interval '1 microsecond',
                                   length) AS span_start
WHERE start_time < last AND first < end_time AND (cluster, node) IN (SELECT cluster, node FROM slot_node);

ANALYZE held_span;

CREATE TEMP TABLE slot_share ON COMMIT DROP AS
SELECT slot_id, attempt_id,
       sum(seconds_between(greatest(present_from, start_time), least(present_to, end_time))
           * CASE
                 WHEN slot_span.accelerators > 0 AND held_span.accelerators IS NOT NULL
                     THEN least(held_span.accelerators, slot_span.accelerators) * div(grain, slot_span.accelerators)
                 WHEN slot_span.accelerators > 0 AND bare_cpus < coalesce(nullif(slot_span.cpus, 0), 'Infinity'::numeric)
                     THEN 0
                 WHEN slot_span.cpus > 0 AND held_span.cpus IS NOT NULL
                     THEN least(held_span.cpus, slot_span.cpus) * div(grain, slot_span.cpus)
                 ELSE grain
             END
           * present_seconds) AS weight
FROM slot_span
CROSS JOIN span
JOIN held_span USING (cluster, node, span_start)
WHERE start_time < present_to AND present_from < end_time
  AND span_start = date_bin(length, greatest(start_time, present_from), first) -- of several spans that both have, the first
GROUP BY slot_id, attempt_id;

ANALYZE slot_share;

CREATE TEMP TABLE slot_total ON COMMIT DROP AS
SELECT slot_id, slot.resource_key, slot.charge_period_start, slot.charge_period_end,
       grain, present_seconds, awaiting_seconds, idle_pool, node,
       coalesce(held_weight, 0) AS held_weight
FROM slot
JOIN slot_capacity USING (slot_id)
LEFT JOIN (SELECT slot_id, sum(weight) AS held_weight FROM slot_share GROUP BY slot_id) AS held USING (slot_id);

ANALYZE slot_total;

-- Makes the inventory that allocation reads from delivered nodes and from nodes.csv
-- (docs/nodes.md).
--   1. A node of a snapshot is there until the source's first later snapshot without it.
--   2. Adjacent spans of one node and resource are one span.
--   3. A node is one resource at a time, and a resource one node: a span ends where the next one of
--      either begins. Of two that begin at the same time, the one that ends later counts.
--   4. nodes.csv wins: for the time in which it names a node or a resource, it replaces what was
--      delivered.
--   5. Values that a delivery lacks come from node_types.csv: the row of the node's type, otherwise
--      the row of the whole cluster.
DELETE FROM node_inventory;

INSERT INTO node_inventory (cluster, node, resource_id, node_type, accelerators, cpus, idle_pool, valid_from, valid_to)
SELECT cluster, node, resource_id, node_type, accelerators, cpus, idle_pool, valid_from, valid_to
FROM declared_node;

INSERT INTO node_inventory (cluster, node, resource_id, node_type, accelerators, cpus, idle_pool, valid_from, valid_to,
                            source)
WITH delivered_span AS (
    SELECT source, cluster, node, resource_id, node_type, accelerators, cpus, start_time,
           coalesce(CASE WHEN is_history THEN end_time
                         ELSE (SELECT min(taken_at) FROM node_snapshot
                               WHERE node_snapshot.source = delivered_node.source AND taken_at > last_seen) END,
                    'infinity') AS end_time
    FROM delivered_node
), begun AS (
    SELECT delivered_span.*,
           coalesce(start_time > max(end_time) OVER (PARTITION BY cluster, node, resource_id ORDER BY start_time, end_time
                                                     ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), true) AS begins
    FROM delivered_span
    WHERE start_time < end_time
), numbered AS (
    SELECT begun.*,
           count(*) FILTER (WHERE begins) OVER (PARTITION BY cluster, node, resource_id ORDER BY start_time, end_time
                                                ROWS UNBOUNDED PRECEDING) AS span
    FROM begun
), met AS (
    SELECT cluster, node, resource_id, min(start_time) AS start_time, max(end_time) AS end_time,
           (array_agg(source ORDER BY start_time DESC, source))[1] AS source,
           (array_agg(node_type ORDER BY start_time DESC, source) FILTER (WHERE node_type IS NOT NULL))[1] AS node_type,
           (array_agg(accelerators ORDER BY start_time DESC, source)
               FILTER (WHERE accelerators IS NOT NULL))[1] AS accelerators,
           (array_agg(cpus ORDER BY start_time DESC, source) FILTER (WHERE cpus IS NOT NULL))[1] AS cpus
    FROM numbered
    GROUP BY cluster, node, resource_id, span
), alone AS (
    SELECT met.*,
           least(end_time,
                 lead(start_time) OVER (PARTITION BY cluster, node ORDER BY start_time, end_time, resource_id),
                 lead(start_time) OVER (PARTITION BY lower(resource_id) ORDER BY start_time, end_time, cluster, node))
               AS ended
    FROM met
), declared AS (
    SELECT cluster, node, NULL AS resource, range_agg(tstzrange(valid_from, valid_to)) AS spans
    FROM declared_node GROUP BY cluster, node
    UNION ALL
    SELECT NULL, NULL, lower(resource_id), range_agg(tstzrange(valid_from, valid_to))
    FROM declared_node GROUP BY lower(resource_id)
), undeclared AS (
    SELECT alone.*,
           unnest(tstzmultirange(tstzrange(start_time, ended)) - coalesce(of_node.spans, '{}')
                  - coalesce(of_resource.spans, '{}') - coalesce(of_last_part.spans, '{}')) AS present
    FROM alone
    LEFT JOIN declared AS of_node ON of_node.cluster = alone.cluster AND of_node.node = alone.node
    LEFT JOIN declared AS of_resource ON of_resource.resource = lower(resource_id)
    LEFT JOIN declared AS of_last_part ON of_last_part.resource = lower(regexp_replace(resource_id, '^.*/', ''))
    WHERE start_time < ended
)
SELECT cluster, node, resource_id, undeclared.node_type, coalesce(undeclared.accelerators, of_type.accelerators, 0),
       coalesce(undeclared.cpus, of_type.cpus), idle_pool, lower(present), upper(present), source
FROM undeclared
CROSS JOIN LATERAL (
    SELECT (array_agg(typed.accelerators ORDER BY typed.node_type = '')
               FILTER (WHERE typed.accelerators IS NOT NULL))[1] AS accelerators,
           (array_agg(typed.cpus ORDER BY typed.node_type = '') FILTER (WHERE typed.cpus IS NOT NULL))[1] AS cpus,
           (array_agg(idle_pool ORDER BY typed.node_type = '') FILTER (WHERE idle_pool IS NOT NULL))[1] AS idle_pool
    FROM node_type AS typed
    WHERE typed.cluster = undeclared.cluster AND typed.node_type IN ('', undeclared.node_type)
) AS of_type;

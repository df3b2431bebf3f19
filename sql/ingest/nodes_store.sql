-- Stores a delivery of nodes: source $1, delivery $2, zone $3; $4 true: a snapshot. A row is known
-- by node, resource and start. Of the same row the later delivery counts, but a recorded end stays,
-- and an older snapshot changes nothing.
WITH staged_span AS (
    SELECT staged_node.*, zone, start_clock AT TIME ZONE zone AS start_time, end_clock AT TIME ZONE zone AS end_time
    FROM staged_node
    CROSS JOIN LATERAL (SELECT CASE WHEN has_offset THEN 'UTC' ELSE $3 END) AS clock (zone)
), once AS (
    SELECT DISTINCT ON (cluster, node, resource_id, start_time) *
    FROM staged_span
    ORDER BY cluster, node, resource_id, start_time, end_time IS NULL, line DESC
)
INSERT INTO delivered_node AS known (source, cluster, node, resource_id, start_time, end_time, last_seen, is_history,
                                     node_type, accelerators, cpus, clock_zone, delivery_id)
SELECT $1, cluster, node, resource_id, start_time, end_time,
       CASE WHEN $4::boolean
            THEN (SELECT taken_at FROM node_snapshot WHERE source = $1 AND delivery_id = $2::integer) END,
       NOT $4::boolean, node_type, accelerators, cpus, CASE WHEN NOT has_offset THEN zone END, $2::integer
FROM once
ON CONFLICT (source, cluster, node, resource_id, start_time) DO UPDATE
SET end_time     = coalesce(excluded.end_time, known.end_time),
    last_seen    = greatest(known.last_seen, excluded.last_seen),
    is_history   = known.is_history OR excluded.is_history,
    node_type    = coalesce(excluded.node_type, known.node_type),
    accelerators = coalesce(excluded.accelerators, known.accelerators),
    cpus         = coalesce(excluded.cpus, known.cpus),
    clock_zone   = excluded.clock_zone,
    delivery_id  = excluded.delivery_id
WHERE excluded.last_seen IS NULL OR known.last_seen IS NULL OR excluded.last_seen >= known.last_seen;

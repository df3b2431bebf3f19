-- The time of the staged snapshot of source $1, delivery $2: the latest time at which one of its
-- nodes was seen or began. No clock is asked, so that the same file always has the same time.
INSERT INTO node_snapshot (source, taken_at, delivery_id)
SELECT $1, greatest(max(seen_at), max(start_clock AT TIME ZONE 'UTC')), $2::integer
FROM staged_node
HAVING count(*) > 0
ON CONFLICT (source, taken_at) DO UPDATE SET delivery_id = excluded.delivery_id;

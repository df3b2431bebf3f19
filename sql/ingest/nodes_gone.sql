-- Compares the snapshot of delivery $2 with the snapshot before it of source $1: how many nodes are
-- gone, and how many either has.
WITH this AS (
    SELECT taken_at FROM node_snapshot WHERE source = $1 AND delivery_id = $2::integer
), former AS (
    SELECT max(node_snapshot.taken_at) AS taken_at
    FROM node_snapshot JOIN this ON node_snapshot.taken_at < this.taken_at
    WHERE source = $1
)
SELECT count(*) FILTER (WHERE last_seen = taken_at) AS gone, count(*) AS nodes
FROM delivered_node JOIN former ON last_seen >= taken_at
WHERE source = $1 AND NOT is_history;

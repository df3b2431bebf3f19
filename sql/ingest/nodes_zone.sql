-- The rows of source $1 whose clock times were read in another zone than $2, which sources.csv has
-- now. They are staged once more with the same clock times, before the lines of the file.
WITH misplaced AS (
    DELETE FROM delivered_node
    WHERE source = $1 AND clock_zone <> $2
    RETURNING *
)
INSERT INTO staged_node (line, cluster, node, resource_id, node_type, accelerators, cpus, start_clock, end_clock, has_offset)
SELECT 0, cluster, node, resource_id, node_type, accelerators, cpus, start_time AT TIME ZONE clock_zone, end_time AT TIME ZONE clock_zone, false
FROM misplaced;

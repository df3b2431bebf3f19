-- The clusters and the nodes of the attempts that were written.
INSERT INTO job_cluster (source, cluster)
SELECT DISTINCT source, cluster
FROM stored_job
JOIN job USING (attempt_id)
ON CONFLICT DO NOTHING;

-- Attempts whose nodes come from snapshots, with the record that names the nodes.
CREATE TEMPORARY TABLE seen_job ON COMMIT DROP AS
SELECT stored_job.attempt_id, record_number
FROM stored_job
JOIN chosen_job ON chosen_job.attempt_id = stored_job.attempt_id
JOIN staged_job USING (record_number)
WHERE holds_are_seen;

CREATE TEMPORARY TABLE seen_node ON COMMIT DROP AS
SELECT attempt_id, node, min(start_time) AS first_start
FROM seen_job
JOIN staged_job_node USING (record_number)
CROSS JOIN unnest(nodes) AS node
GROUP BY attempt_id, node;

-- With statistics the planner joins these tables instead of looking up each node: a delivery has as
-- many nodes as jobs.
ANALYZE staged_job_node (record_number), chosen_job, stored_job, seen_job, seen_node;

-- A record of any other attempt lists all of its nodes and replaces its holds. A snapshot does not:
-- if it no longer names a node, the pod is gone, but the node was held. If it still names the node,
-- an earlier hold ends at the start of the first pod there. If that hold had no end, it ends at the
-- last delivery that named the job, if that is earlier.
-- Most attempts are new and held nothing. They are looked up one by one, so that the holds of all
-- years are not read.
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_mergejoin = off;
DELETE FROM job_hold
USING (SELECT attempt_id FROM stored_job EXCEPT SELECT attempt_id FROM seen_job) AS listed_whole
WHERE job_hold.attempt_id = listed_whole.attempt_id;
SET LOCAL enable_hashjoin TO DEFAULT;
SET LOCAL enable_mergejoin TO DEFAULT;

DELETE FROM job_hold
USING seen_node
WHERE job_hold.attempt_id = seen_node.attempt_id AND job_hold.nodes = ARRAY[seen_node.node] AND job_hold.start_time >= first_start;

UPDATE job_hold
SET end_time = least(first_start, coalesce(job_hold.end_time, greatest(job_hold.start_time, seen_to)))
FROM seen_node
JOIN known_run USING (attempt_id)
WHERE job_hold.attempt_id = seen_node.attempt_id AND job_hold.nodes = ARRAY[seen_node.node]
  AND (job_hold.end_time > first_start) IS NOT FALSE;

-- If a record gives no times of a node, the node was held as long as the attempt, and has the
-- attempt's CPUs and accelerators divided by its nodes. A suspended run keeps its accelerators and
-- gives its CPUs to others. Nobody knows when, so it has its average number of CPUs. Nodes of an
-- attempt that ended in a pruned month are not stored again (kstar prune).
INSERT INTO job_hold (attempt_id, cluster, nodes, start_time, end_time, cpus, accelerators)
SELECT job.attempt_id, job.cluster, held.nodes,
       coalesce(held.start_time, job.start_time),
       CASE WHEN held.start_time IS NULL THEN job.end_time ELSE held.end_time END,
       CASE WHEN held.start_time IS NOT NULL THEN held.cpus
            WHEN suspended_seconds > 0
                THEN job.cpus * job.elapsed_seconds / ((job.elapsed_seconds + suspended_seconds) * job.node_count)
            ELSE job.cpus / job.node_count END,
       CASE WHEN held.start_time IS NULL THEN job.accelerators / job.node_count ELSE held.accelerators END
FROM stored_job
JOIN chosen_job USING (attempt_id)
JOIN job USING (attempt_id)
JOIN (SELECT record_number, suspended_seconds FROM staged_job) AS staged USING (record_number)
JOIN staged_job_node AS held USING (record_number)
WHERE job.start_time IS NOT NULL
  AND (job.end_time > (SELECT holds_pruned_to())) IS NOT FALSE;

-- If a running attempt is no longer seen on a node, it left the node after the last delivery that
-- named the attempt: the node is held up to that delivery. The pods of an ended job may be deleted
-- before the job, so its nodes are held to its end. Exceptions are nodes whose pods were
-- replaced: since then as many workers as the job has are seen elsewhere.
CREATE TEMPORARY TABLE let_go ON COMMIT DROP AS
SELECT attempt_id, nodes[1] AS node
FROM job_hold JOIN seen_job USING (attempt_id)
WHERE end_time IS NULL
EXCEPT
SELECT attempt_id, node
FROM seen_node;

UPDATE job_hold
SET end_time = greatest(job_hold.start_time, seen_to)
FROM let_go
JOIN known_run USING (attempt_id)
JOIN chosen_job USING (attempt_id)
JOIN staged_job USING (record_number)
WHERE job_hold.attempt_id = let_go.attempt_id AND job_hold.nodes = ARRAY[let_go.node] AND job_hold.end_time IS NULL
  AND (NOT ended OR all_seen_clock AT TIME ZONE 'UTC' > seen_to);

-- An attempt of a snapshot began with the first of its nodes. Its K, CPUs and accelerators are the
-- most that it held at one time.
WITH change AS (
    SELECT attempt_id, start_time AS at, 1 AS nodes, cpus, accelerators
    FROM job_hold JOIN seen_job USING (attempt_id)
    UNION ALL
    SELECT attempt_id, end_time, -1, -cpus, -accelerators
    FROM job_hold JOIN seen_job USING (attempt_id)
    WHERE end_time IS NOT NULL
), held AS (
    SELECT attempt_id, at, sum(nodes) OVER earlier AS nodes, sum(cpus) OVER earlier AS cpus,
           sum(accelerators) OVER earlier AS accelerators
    FROM change
    WINDOW earlier AS (PARTITION BY attempt_id ORDER BY at, nodes ROWS UNBOUNDED PRECEDING)
), most AS (
    SELECT attempt_id, min(at) AS start_time, max(nodes) AS nodes, max(cpus) AS cpus, max(accelerators) AS accelerators
    FROM held
    GROUP BY attempt_id
)
UPDATE job
SET node_count = most.nodes, cpus = most.cpus, accelerators = most.accelerators, start_time = most.start_time
FROM most
WHERE job.attempt_id = most.attempt_id AND job.start_time IS NOT NULL;

-- The nodes of the attempts that were written. CPUs and accelerators are the attempt's, divided by its nodes.
DELETE FROM job_node
USING stored_job
WHERE job_node.attempt_id = stored_job.attempt_id;

INSERT INTO job_node (attempt_id, cluster, node, start_time, end_time, cpus, accelerators)
SELECT DISTINCT job.attempt_id, job.cluster, staged_job_node.node, job.start_time, job.end_time,
       job.cpus / job.node_count, job.accelerators / job.node_count
FROM stored_job
JOIN chosen_job USING (attempt_id)
JOIN staged_job_node USING (record_number)
JOIN job USING (attempt_id)
WHERE job.start_time IS NOT NULL;

-- What job has of the jobs that this delivery names, under any source and cluster: by the number of
-- each, and by its JobID where that is another. It is read once, before the steps that compare. The
-- numbers stand in a list: a join may read the jobs of all years.
SET LOCAL default_statistics_target = 10;
ANALYZE staged_job (record_number, cluster, job_id, job_id_raw, record_hash);

CREATE TEMPORARY TABLE recorded_job ON COMMIT DROP AS
SELECT attempt_id, source, cluster, job_id, job_id_raw, attempt_mark, record_hash, submit_time, start_time, end_time, elapsed_seconds, state_text, node_list,
       cpus, accelerators, account, user_name, job_name, covered_to, next_latest_time
FROM job
WHERE job_id_raw = ANY (ARRAY(SELECT job_id_raw FROM staged_job UNION SELECT job_id FROM staged_job))
   OR (job_id <> job_id_raw AND job_id = ANY (ARRAY(SELECT job_id FROM staged_job)));

ANALYZE recorded_job;

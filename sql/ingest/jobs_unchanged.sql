-- Takes out the jobs of which this delivery brings nothing new: their rows and nodes stay as they
-- are. Each night brings the accounting file of the month with one more day, so nearly all of its
-- jobs are unchanged. If one run of a job has changed, all runs of the job stay in:
-- jobs_attempts.sql needs them.
INSERT INTO unchanged_job
SELECT record_number, line, known.attempt_id, known.attempt_mark, cluster, staged_job.job_id, job_id_raw, known.start_time, known.end_time,
       known.elapsed_seconds, suspended_seconds, state, staged_job.state_text, node_count, listed_nodes, covered_to, next_latest_time
FROM staged_job
JOIN recorded_job AS known USING (cluster, job_id_raw, record_hash);

-- NOT EXISTS, here and below: NOT IN compares all rows with all if its hash table does not fit in
-- memory.
CREATE TEMPORARY TABLE changed_job ON COMMIT DROP AS
SELECT DISTINCT cluster, job_id_raw
FROM staged_job
WHERE NOT EXISTS (SELECT FROM unchanged_job WHERE unchanged_job.record_number = staged_job.record_number);

ANALYZE unchanged_job (record_number, cluster, job_id_raw), changed_job;

DELETE FROM staged_job
WHERE NOT EXISTS (SELECT FROM changed_job WHERE changed_job.cluster = staged_job.cluster AND changed_job.job_id_raw = staged_job.job_id_raw);

INSERT INTO chosen_job (attempt_id, record_number, attempt_mark)
SELECT DISTINCT ON (attempt_id) attempt_id, record_number, attempt_mark
FROM unchanged_job
WHERE NOT EXISTS (SELECT FROM changed_job WHERE changed_job.cluster = unchanged_job.cluster AND changed_job.job_id_raw = unchanged_job.job_id_raw)
ORDER BY attempt_id, record_number DESC;

ANALYZE staged_job (record_number, attempt_id, cluster, job_id_raw);

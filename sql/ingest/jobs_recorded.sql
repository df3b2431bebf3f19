-- Copies the rows of job for the jobs that this delivery names, of any source and cluster: by their
-- number, and by their JobID if that differs. job is read once, before the steps that compare.
SET LOCAL default_statistics_target = 10;
ANALYZE staged_job (record_number, cluster, job_id, job_id_raw, record_hash);

-- Each job is looked up in the index: a hash or merge join could read the jobs of all years.
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_mergejoin = off;
CREATE TEMPORARY TABLE recorded_job ON COMMIT DROP AS
SELECT attempt_id, source, cluster, job_id, job_id_raw, attempt_mark, record_hash, submit_time, start_time, end_time,
       elapsed_seconds, state_text, node_list, cpus, accelerators, account, user_name, job_name, resource_id, covered_to, next_latest_time
FROM (SELECT job_id_raw AS name FROM staged_job UNION SELECT job_id FROM staged_job) AS asked
JOIN job ON job.job_id_raw = asked.name;

CREATE UNIQUE INDEX ON recorded_job (attempt_id);

INSERT INTO recorded_job
SELECT attempt_id, source, cluster, job_id, job_id_raw, attempt_mark, record_hash, submit_time, start_time, end_time,
       elapsed_seconds, state_text, node_list, cpus, accelerators, account, user_name, job_name, resource_id, covered_to, next_latest_time
FROM (SELECT DISTINCT job_id AS name FROM staged_job) AS asked
JOIN job ON job.job_id = asked.name AND job.job_id <> job.job_id_raw
ON CONFLICT DO NOTHING;
SET LOCAL enable_hashjoin TO DEFAULT;
SET LOCAL enable_mergejoin TO DEFAULT;

-- The steps expect few rows of a delivery, whatever it has: then each is looked up.
CREATE INDEX ON recorded_job (job_id_raw);
CREATE INDEX ON recorded_job (job_id);
ANALYZE recorded_job;

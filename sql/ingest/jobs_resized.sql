-- The final state of each part of a resized job, for the jobs of source $1 that this delivery
-- names. When a job is resized, Slurm ends its record as RESIZING and begins another record,
-- although the job goes on. So a part gets the state of the first later record that was not resized
-- again.
WITH resized AS MATERIALIZED (
    SELECT attempt_id, cluster, job_id_raw, end_time
    FROM job
    WHERE source = $1 AND state_text LIKE '%RESIZ%' AND state = 'RUNNING' AND end_time IS NOT NULL
      AND job_id_raw IN (SELECT job_id_raw FROM staged_job)
),
run_after AS MATERIALIZED (
    SELECT DISTINCT ON (resized.attempt_id) resized.attempt_id, job.state
    FROM resized
    JOIN job ON job.source = $1 AND job.cluster = resized.cluster AND job.job_id_raw = resized.job_id_raw
    WHERE job.start_time >= resized.end_time AND job.attempt_id NOT IN (SELECT attempt_id FROM resized)
    ORDER BY resized.attempt_id, job.start_time, job.attempt_id
)
UPDATE job
SET continued_state = run_after.state
FROM run_after
WHERE job.attempt_id = run_after.attempt_id AND continued_state IS DISTINCT FROM run_after.state;

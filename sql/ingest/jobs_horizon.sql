-- The last time that the records of source $1 cover; it never goes back.
INSERT INTO job_horizon (source, horizon)
SELECT $1, max(covered_to)
FROM timed_job
HAVING max(covered_to) IS NOT NULL
ON CONFLICT (source) DO UPDATE SET horizon = greatest(job_horizon.horizon, excluded.horizon);

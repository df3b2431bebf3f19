-- What was known of the runs of source $1 before this snapshot. A run that came in no snapshot
-- counts as seen at the source's horizon.
INSERT INTO known_run (attempt_id, job_id_raw, name_space, object_kind, seen_to, is_running)
SELECT attempt_id, job_id_raw, coalesce(account, ''), object_kind, coalesce(seen_time, horizon), end_time IS NULL
FROM job
JOIN job_horizon USING (source)
WHERE source = $1 AND start_time IS NOT NULL
  AND (end_time IS NULL OR attempt_id IN (SELECT attempt_id FROM chosen_job));

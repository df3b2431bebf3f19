-- The started runs of source $1 without an end: they are still running, or no record reports their
-- end.
INSERT INTO open_run (attempt_id, cluster, job_id_raw, start_time, delivery_id, line_number)
SELECT attempt_id, cluster, job_id_raw, start_time, delivery_id, line_number
FROM job
JOIN job_place USING (attempt_id)
WHERE source = $1 AND start_time IS NOT NULL AND end_time IS NULL;

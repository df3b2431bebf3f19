-- Records up to when this file reports, for each run under way that the file names.
UPDATE job
SET exported_to = greatest(job.exported_to, file_extent.exported_to)
FROM chosen_job, file_extent
WHERE job.attempt_id = chosen_job.attempt_id AND start_time IS NOT NULL AND end_time IS NULL;

-- Up to when this file tells of the runs under way that it names.
UPDATE job
SET exported_to = greatest(job.exported_to, file_extent.exported_to)
FROM chosen_job, file_extent
WHERE job.attempt_id = chosen_job.attempt_id AND start_time IS NOT NULL AND end_time IS NULL;

-- Attempts that stay as they are (jobs_kept.sql) are not stored.
DELETE FROM chosen_job USING kept_job WHERE chosen_job.attempt_id = kept_job.attempt_id;

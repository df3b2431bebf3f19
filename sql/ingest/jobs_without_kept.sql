-- Takes the attempts that stay as they are out of those that are stored.
DELETE FROM chosen_job USING kept_job WHERE chosen_job.attempt_id = kept_job.attempt_id;

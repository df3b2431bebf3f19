-- The attempts that stay as they are when the files of delivery $1 are read again: they began in a
-- closed month, or a later delivery has a record of them.
INSERT INTO kept_job (attempt_id)
SELECT chosen_job.attempt_id
FROM chosen_job
LEFT JOIN timed_job USING (record_number)
LEFT JOIN job ON job.attempt_id = chosen_job.attempt_id
LEFT JOIN job_place ON job_place.attempt_id = chosen_job.attempt_id
WHERE job_place.delivery_id > $1
   OR least(job.start_time, timed_job.start_time) < (SELECT max(statement_month) + interval '1 month' FROM closure);

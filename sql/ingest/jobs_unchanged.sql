-- The attempts of which job says already what this delivery says.
INSERT INTO unchanged_job (attempt_id)
SELECT chosen_job.attempt_id
FROM chosen_job
JOIN staged_job USING (record_number)
JOIN job ON job.attempt_id = chosen_job.attempt_id AND job.record_hash = staged_job.record_hash;

-- Delivery $1 is now the last one that said what job has of these attempts.
INSERT INTO job_place (attempt_id, delivery_id, line_number)
SELECT attempt_id, $1::integer, line
FROM (SELECT attempt_id FROM stored_job UNION ALL SELECT attempt_id FROM unchanged_job) AS told
JOIN chosen_job USING (attempt_id)
JOIN (SELECT record_number, line FROM staged_job) AS staged USING (record_number)
ON CONFLICT (attempt_id) DO UPDATE
SET delivery_id = excluded.delivery_id, line_number = excluded.line_number;

-- Records delivery $1 as the last one that has the values of these attempts in job.
INSERT INTO job_place (attempt_id, delivery_id, line_number)
SELECT attempt_id, $1::integer, line
FROM (SELECT chosen_job.attempt_id, line FROM stored_job JOIN chosen_job USING (attempt_id) JOIN staged_job USING (record_number)
      UNION ALL
      SELECT attempt_id, line FROM unchanged_job JOIN chosen_job USING (attempt_id, record_number)) AS read
ORDER BY attempt_id
ON CONFLICT (attempt_id) DO UPDATE
SET delivery_id = excluded.delivery_id, line_number = excluded.line_number;

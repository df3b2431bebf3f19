-- Delivery $1 is now the last one that said what job has of these attempts.
WITH told AS MATERIALIZED (
    SELECT chosen_job.attempt_id, line FROM stored_job JOIN chosen_job USING (attempt_id) JOIN staged_job USING (record_number)
    UNION ALL
    SELECT attempt_id, line FROM unchanged_job JOIN chosen_job USING (attempt_id, record_number)
), moved AS (
    UPDATE job_place SET delivery_id = $1::integer, line_number = line
    FROM told
    WHERE job_place.attempt_id = told.attempt_id
    RETURNING told.attempt_id
)
INSERT INTO job_place (attempt_id, delivery_id, line_number)
SELECT attempt_id, $1::integer, line
FROM told
WHERE attempt_id NOT IN (SELECT attempt_id FROM moved)
ORDER BY attempt_id;

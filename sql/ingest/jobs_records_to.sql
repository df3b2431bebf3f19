-- The latest time in the records of delivery $1, and whether they are a snapshot ($2).
UPDATE delivery
SET records_to = (SELECT max(covered_to) FROM (SELECT covered_to FROM timed_job UNION ALL SELECT covered_to FROM unchanged_job) AS told),
    is_snapshot = $2
WHERE delivery_id = $1;

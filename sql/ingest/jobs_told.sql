-- Up to when this file tells of the runs under way that it names: it was made no earlier than the last time in any of its records.
WITH extent AS MATERIALIZED (
    SELECT max(covered_to) AS covered_to FROM timed_job
)
UPDATE job
SET told_to = greatest(told_to, extent.covered_to)
FROM chosen_job, extent
WHERE job.attempt_id = chosen_job.attempt_id AND start_time IS NOT NULL AND end_time IS NULL;

-- Up to when this file of source $1 tells: it was made no earlier than the last time in any of its records, of those that set a horizon.
INSERT INTO file_extent (told_to)
SELECT max(told)
FROM timed_job
CROSS JOIN LATERAL (VALUES (covered_to), (told_before)) AS times (told)
JOIN job_horizon ON source = $1 AND told <= horizon;

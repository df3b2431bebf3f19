-- Up to when this file of source $1 reports: it was made no earlier than the last time in any of
-- its records, of those that set a horizon.
INSERT INTO file_extent (exported_to)
SELECT max(reported_time)
FROM delivered_job
CROSS JOIN LATERAL (VALUES (covered_to), (next_latest_time)) AS times (reported_time)
JOIN job_horizon ON source = $1 AND reported_time <= horizon;

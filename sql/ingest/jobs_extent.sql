-- Up to when this file of source $1 reports: the last time in any of its records, since the file
-- cannot be older. Times after the source's horizon do not count.
INSERT INTO file_extent (exported_to)
SELECT max(reported_time)
FROM delivered_job
CROSS JOIN LATERAL (VALUES (covered_to), (next_latest_time)) AS times (reported_time)
JOIN job_horizon ON source = $1 AND reported_time <= horizon;

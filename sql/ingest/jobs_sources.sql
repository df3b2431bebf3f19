-- The sources of job records.
SELECT source
FROM job_horizon
ORDER BY source COLLATE "C";

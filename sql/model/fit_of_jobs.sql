-- The families of the month's jobs, with what they ran on ('': nobody knows).
SELECT DISTINCT family, coalesce(accelerator, '') AS accelerator
FROM job_cost
LEFT JOIN attempt_accelerator USING (attempt_id)
WHERE family IS NOT NULL
ORDER BY family, accelerator;

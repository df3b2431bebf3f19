-- The K that the jobs of each fit ran on in the statement.
SELECT DISTINCT fit AS family, k
FROM job_cost
LEFT JOIN attempt_accelerator USING (attempt_id)
JOIN fit_of_jobs ON fit_of_jobs.family = job_cost.family AND fit_of_jobs.accelerator = coalesce(attempt_accelerator.accelerator, '')
WHERE outcome <> 'not started'
ORDER BY family, k;

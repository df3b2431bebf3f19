-- The families of the jobs of the statement and of the two months before it, with what they ran on
-- ('': nobody knows).
SELECT family, coalesce(accelerator, '') AS accelerator
FROM job_cost
LEFT JOIN attempt_accelerator USING (attempt_id)
WHERE family IS NOT NULL
UNION
SELECT family, coalesce(accelerator, '')
FROM job_result
JOIN month ON job_result.statement_month >= month.statement_month - interval '2 months' AND job_result.statement_month < month.statement_month
WHERE family IS NOT NULL
ORDER BY family, accelerator;

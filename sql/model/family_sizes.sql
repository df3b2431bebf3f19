-- The K that the jobs of each fit ran on, in the statement and in the two months before it.
SELECT fit AS family, k
FROM (SELECT family, accelerator, k, outcome
      FROM job_cost
      LEFT JOIN attempt_accelerator USING (attempt_id)
      UNION -- not UNION ALL: few different rows are left to join
      SELECT family, accelerator, k, outcome
      FROM job_result
      JOIN month ON job_result.statement_month >= month.statement_month - interval '2 months' AND job_result.statement_month < month.statement_month) AS job
JOIN fit_of_jobs ON fit_of_jobs.family = job.family AND fit_of_jobs.accelerator = coalesce(job.accelerator, '')
JOIN month USING (statement_month)
WHERE outcome <> 'not started'
GROUP BY fit, k
ORDER BY fit, k;

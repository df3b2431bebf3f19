-- The K that recent jobs of each fit ran on.
SELECT fit AS family, k
FROM recent_size
JOIN fit_of_jobs USING (family, accelerator)
JOIN month USING (statement_month)
WHERE outcome <> 'not started'
GROUP BY fit, k
ORDER BY fit, k;

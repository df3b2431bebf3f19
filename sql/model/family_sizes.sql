-- The K that each family's jobs ran on in the statement.
SELECT DISTINCT family, k
FROM job_cost
WHERE family IS NOT NULL AND outcome <> 'not started'
ORDER BY family, k;

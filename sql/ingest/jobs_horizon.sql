-- The last time that the records of source $1 cover, as they stand: one that was put right takes back what the wrong one told.
INSERT INTO job_horizon (source, horizon)
SELECT $1, max(covered_to)
FROM job
WHERE source = $1
HAVING max(covered_to) IS NOT NULL
ON CONFLICT (source) DO UPDATE SET horizon = excluded.horizon;

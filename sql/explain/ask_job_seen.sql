-- The attempts of job $2 (of cluster $1, if it is given) among a reader's rows, and their clusters.
SELECT coalesce(array_agg(DISTINCT attempt_id), '{}')::text, string_agg(DISTINCT cluster, ', '), count(DISTINCT cluster)
FROM explained
WHERE job_id = $2 AND target = 'job' AND ($1::text IS NULL OR cluster = $1);

-- The attempts of job $3 (ask_job.sql) among a reader's rows, and their clusters.
WITH of_cluster AS MATERIALIZED (
    SELECT attempt_id, cluster FROM explained WHERE cluster = $1 AND job_id = $2 AND target = 'job'
), found AS (
    SELECT attempt_id, cluster FROM of_cluster
    UNION ALL
    SELECT attempt_id, cluster FROM explained WHERE job_id = $3 AND target = 'job' AND NOT EXISTS (SELECT FROM of_cluster)
)
SELECT coalesce(array_agg(DISTINCT attempt_id), '{}')::text, string_agg(DISTINCT cluster, ', '), count(DISTINCT cluster)
FROM found;

-- The attempts of job $3, with the months whose statements have them. Those of month $4 are asked
-- for. $3 is CLUSTER/ID, cut into $1 and $2 at its first slash, or an id alone: ids of Kubernetes
-- and of managed services have slashes, too.
WITH of_cluster AS MATERIALIZED (
    SELECT attempt_id FROM job WHERE cluster = $1 AND $2 IN (job_id, job_id_raw)
)
SELECT job.cluster, attempt_id, coalesce(statement_month = $4::date, false) AS is_asked, to_char(statement_month, 'YYYY-MM') AS period
FROM job
LEFT JOIN job_result USING (attempt_id)
WHERE attempt_id IN (SELECT attempt_id FROM of_cluster
                     UNION ALL
                     SELECT attempt_id FROM job WHERE $3 IN (job_id, job_id_raw) AND NOT EXISTS (SELECT attempt_id FROM of_cluster))
ORDER BY statement_month DESC NULLS LAST, job.cluster COLLATE "C", attempt_id;

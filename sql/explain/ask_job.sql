-- The attempts of job $2 (of cluster $1, if it is given), with the months whose statements have
-- them. Those of month $3 are asked for.
SELECT job.cluster, attempt_id, coalesce(statement_month = $3::date, false) AS is_asked, to_char(statement_month, 'YYYY-MM') AS period
FROM job
LEFT JOIN job_result USING (attempt_id)
WHERE $2 IN (job_id, job_id_raw) AND ($1::text IS NULL OR job.cluster = $1)
ORDER BY statement_month DESC NULLS LAST, job.cluster COLLATE "C", attempt_id;

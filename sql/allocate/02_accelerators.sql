-- What an attempt ran on in the month, by node_accelerators.csv: the accelerator of its nodes, several joined by " and ". No row where one of its
-- nodes has none there: then nobody knows. The components of a heterogeneous job are one job.
CREATE TEMP TABLE attempt_accelerator ON COMMIT DROP AS
WITH place AS MATERIALIZED (
    SELECT DISTINCT coalesce(whole, attempt_id) AS one_job, node_time.cluster, coalesce(node_type, '') AS node_type
    FROM node_time
    LEFT JOIN job_component USING (attempt_id)
    WHERE EXISTS (SELECT FROM node_accelerator)
), of_type AS (
    SELECT DISTINCT ON (kind.cluster, kind.node_type) kind.cluster, kind.node_type, accelerator
    FROM (SELECT DISTINCT cluster, node_type FROM place) AS kind
    CROSS JOIN month
    JOIN node_accelerator ON node_accelerator.cluster IN ('', kind.cluster) AND node_accelerator.node_type IN ('', kind.node_type)
                         AND valid_from < (statement_month + interval '1 month')::date AND valid_to > statement_month
    ORDER BY kind.cluster, kind.node_type, node_accelerator.node_type = '', node_accelerator.cluster = '', valid_from
), of_job AS (
    SELECT one_job, string_agg(DISTINCT accelerator, ' and ' ORDER BY accelerator) AS accelerator
    FROM place
    LEFT JOIN of_type USING (cluster, node_type)
    GROUP BY one_job
    HAVING bool_and(accelerator IS NOT NULL)
)
SELECT attempt_id, accelerator
FROM (SELECT DISTINCT attempt_id FROM node_time) AS attempt
LEFT JOIN job_component USING (attempt_id)
JOIN of_job ON one_job = coalesce(whole, attempt_id);

ANALYZE attempt_accelerator;

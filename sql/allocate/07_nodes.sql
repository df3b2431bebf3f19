-- The billed resources that are nodes, and the jobs that lines name.

-- Rows of the inventory under the keys of the bill's resources: by the whole id, or by what follows
-- its last '/'.
CREATE TEMP TABLE node_resource ON COMMIT DROP AS
SELECT row_number() OVER (ORDER BY resource_key, valid_from, cluster, node) - 1 AS presence_no,
       resource_key, cluster, node, billed_id AS resource_id, node_type, source, accelerators, cpus, idle_pool, valid_from, valid_to
FROM (SELECT DISTINCT node_key AS resource_key, lower(name) AS billed_id
      FROM line_class
      CROSS JOIN LATERAL (VALUES (resource_id), (regexp_replace(resource_id, '^.*/', ''))) AS id (name)
      WHERE resource_id IS NOT NULL) AS billed
JOIN node_inventory ON lower(node_inventory.resource_id) = billed_id;

CREATE INDEX ON node_resource (resource_key);
ANALYZE node_resource;

-- What job records say of a cluster: the last time that they cover, and whether one from before the
-- month's end names accelerators.
CREATE TEMP TABLE recorded_cluster ON COMMIT DROP AS
SELECT cluster, max(horizon) AS horizon,
       (SELECT true FROM job WHERE job.cluster = job_cluster.cluster AND accelerators > 0 AND start_time < month_end LIMIT 1) AS has_accelerators
FROM job_cluster
JOIN job_horizon USING (source)
CROSS JOIN month
GROUP BY cluster, month_end;

ANALYZE recorded_cluster;

-- The jobs that tags name, of lines whose resource is no node: few as a rule, and counted before
-- the jobs of all years are asked for them.
CREATE TEMP TABLE class_tag ON COMMIT DROP AS
SELECT class_id, tags ->> job_tag_key AS job_name
FROM line_class CROSS JOIN month
WHERE tags ? job_tag_key AND node_key NOT IN (SELECT resource_key FROM node_resource);

ANALYZE class_tag;

-- Rule 1: the line's resource is the job, or its tag names the job and its resource is no node.
CREATE TEMP TABLE class_job ON COMMIT DROP AS
SELECT class_id, attempt_id, true AS is_own
FROM line_class
JOIN job ON lower(job.resource_id) = lower(line_class.resource_id)
UNION
SELECT class_id, attempt_id, false
FROM class_tag
JOIN job ON job.job_id_raw = class_tag.job_name
UNION
SELECT class_id, attempt_id, false
FROM class_tag
JOIN job ON job.job_id = class_tag.job_name AND job.job_id <> job.job_id_raw;

ANALYZE class_job;

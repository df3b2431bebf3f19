-- The billed resources that are nodes, and the jobs that bill lines name.

-- Inventory rows of billed resources. A row matches by the whole resource id, or by the part after
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

-- For each cluster: the time up to which job records cover it, and whether a job that began before
-- the month's end has accelerators in its record.
CREATE TEMP TABLE recorded_cluster ON COMMIT DROP AS
SELECT cluster, max(horizon) AS horizon,
       (SELECT true FROM job WHERE job.cluster = job_cluster.cluster AND accelerators > 0 AND start_time < month_end LIMIT 1) AS has_accelerators
FROM job_cluster
JOIN job_horizon USING (source)
CROSS JOIN month
GROUP BY cluster, month_end;

ANALYZE recorded_cluster;

-- Jobs named by tags, for lines whose resource is no node. They are usually few. They stand in a
-- table of their own so that PostgreSQL knows this and looks up the jobs one by one.
CREATE TEMP TABLE class_tag ON COMMIT DROP AS
SELECT class_id, tags ->> job_tag_key AS job_name
FROM line_class CROSS JOIN month
WHERE tags ? job_tag_key AND node_key NOT IN (SELECT resource_key FROM node_resource);

ANALYZE class_tag;

-- Rule 1: the resource of the line is the job, or the resource is no node and its tag names the
-- job.
CREATE TEMP TABLE class_job ON COMMIT DROP AS
SELECT class_id, attempt_id, true AS is_own
FROM line_class
CROSS JOIN LATERAL (VALUES (lower(resource_id)), (relative_name(resource_id))) AS own (name)
JOIN job ON lower(job.resource_id) = name
UNION
SELECT class_id, attempt_id, false
FROM class_tag
JOIN job ON job.job_id_raw = class_tag.job_name
UNION
SELECT class_id, attempt_id, false
FROM class_tag
JOIN job ON job.job_id = class_tag.job_name AND job.job_id <> job.job_id_raw;

ANALYZE class_job;

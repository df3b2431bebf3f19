-- The attempts that the statement needs, with their cost centre and family.

-- Attempts that were still running when the statement before was closed. This statement says how
-- they ended, whenever that was.
CREATE TEMP TABLE running_at_close ON COMMIT DROP AS
SELECT attempt_id
FROM job_result
WHERE provisional AND statement_month = (SELECT max(statement.statement_month)
                                         FROM statement JOIN month ON statement.statement_month < month.statement_month)
  AND statement_month IN (SELECT statement_month FROM closed_month);

-- Attempts that shared a pool in a closed month. Late cost of that month is split among them again
-- (14_pools.sql): late lines of the pool, late idle time and late refunds. They may have run in any
-- month.
CREATE TEMP TABLE shared_at_close ON COMMIT DROP AS
WITH asked AS (
    SELECT closed_month, pool
    FROM line_class
    JOIN class_pool USING (class_id)
    WHERE closed_month IS NOT NULL
    UNION
    SELECT closed_month, pool
    FROM (SELECT DISTINCT closed_month
          FROM line_class
          WHERE closed_month IS NOT NULL
            AND (node_key IN (SELECT resource_key FROM node_resource) OR class_id IN (SELECT class_id FROM class_job))) AS held
    CROSS JOIN (SELECT idle_pool FROM node_resource
                UNION SELECT idle_pool FROM frozen_idle_pool
                UNION SELECT idle_pool FROM frozen_type_pool
                UNION SELECT pool FROM refund_rule) AS of_nodes (pool)
)
SELECT DISTINCT attempt_id
FROM (SELECT DISTINCT closed_month FROM asked) AS held_in
-- one month at a time: a plain join would read the parts of all years
CROSS JOIN LATERAL (SELECT attempt_id, pool
                    FROM kstar.shared_part AS part
                    WHERE part.statement_month = held_in.closed_month AND shared_kind = 'pool' AND part.closed_month IS NULL AND attempt_id IS NOT NULL
                    OFFSET 0) AS shared
WHERE (closed_month, pool) IN (SELECT closed_month, pool FROM asked);

-- The jobs that the statement needs: they ran or held a node in a billed time, a line names them,
-- or they are in one of the two tables above. Running jobs, which have no end time yet, are always
-- among them; their end is worked out below. Billed times are the month, the times of lines of
-- nodes, and the months in which node failures are counted. A Correction of two years ago adds only
-- the hours that it corrects, not the years in between.
--
-- The times are constants in the query, so that PostgreSQL can plan for them; with parameters it
-- would expect a ninth of all years. Jobs that ran in these times are read from the table in one
-- pass. The few others are looked up. Where kstar explain asks for some places only, all are looked
-- up: the jobs that held these nodes, those that lines name, and those that it asks for.
DO $$
DECLARE
    are_places constant boolean := coalesce(current_setting('kstar.asked_places', true), '') <> '';
    ran     text;
    may_run text;
BEGIN
    WITH named (span_from, span_to) AS (
        SELECT month_start, month_end FROM month
        UNION ALL
        SELECT first_start, last_end
        FROM line_class
        WHERE first_start < last_end AND node_key IN (SELECT resource_key FROM node_resource)
        UNION ALL
        SELECT failures_from, month_end
        FROM month
        WHERE NOT are_places AND EXISTS (SELECT FROM interruption
                                         WHERE rate_per_node_hour = 'measured' AND valid_from <= last_day AND last_day < valid_to)
    )
    SELECT string_agg(format('(start_time < %2$L AND end_time > %1$L)', lower(span), upper(span)), ' OR '),
           string_agg(format('(start_time < %2$L AND (end_time > %1$L OR end_time IS NULL))', lower(span), upper(span)), ' OR ')
    INTO ran, may_run
    FROM unnest((SELECT range_agg(tstzrange(span_from, span_to)) FROM named)) AS span;
    IF are_places THEN
        CREATE TEMP TABLE asked_job ON COMMIT DROP AS SELECT * FROM job WHERE false;
        EXECUTE format('CREATE TEMP TABLE asked_attempt ON COMMIT DROP AS
                        SELECT attempt_id FROM class_job
                        UNION SELECT unnest(%L::bigint[])
                        UNION SELECT attempt_id FROM job_node
                              JOIN (SELECT DISTINCT cluster, node FROM node_resource) AS asked USING (cluster, node)
                              WHERE %s', current_setting('kstar.explain_attempts'), may_run);
    ELSE
        EXECUTE format('CREATE TEMP TABLE asked_job ON COMMIT DROP AS
                        SELECT * FROM job WHERE %s OR (start_time IS NOT NULL AND end_time IS NULL)', ran);
        EXECUTE format('CREATE TEMP TABLE asked_attempt ON COMMIT DROP AS
                        SELECT attempt_id FROM class_job
                        UNION SELECT attempt_id FROM running_at_close
                        UNION SELECT attempt_id FROM shared_at_close
                        UNION SELECT attempt_id FROM job_hold WHERE %s', ran);
    END IF;
END
$$;

CREATE UNIQUE INDEX ON asked_job (attempt_id);
ANALYZE asked_job (attempt_id), asked_attempt;

INSERT INTO asked_job
SELECT job.*
FROM (SELECT attempt_id FROM asked_attempt EXCEPT SELECT attempt_id FROM asked_job) AS asked
JOIN job USING (attempt_id);

-- The other jobs of any time, also of other clusters, with an id under which E was measured
-- (model/measured_attempts.sql). The ids are a list: a join would read the jobs of all years.
CREATE TEMP TABLE measured_id ON COMMIT DROP AS
SELECT DISTINCT id
FROM asked_job CROSS JOIN LATERAL (VALUES (job_id), (heterogeneous_job_id)) AS shown (id)
WHERE id IN (SELECT job_id FROM measurement WHERE metric IN ('efficiency', 'compute_share'));

INSERT INTO asked_job
SELECT *
FROM job
WHERE job_id_raw = ANY (ARRAY(SELECT id FROM measured_id)) OR (job_id <> job_id_raw AND job_id = ANY (ARRAY(SELECT id FROM measured_id)))
   OR heterogeneous_job_id = ANY (ARRAY(SELECT id FROM measured_id))
ON CONFLICT DO NOTHING;

-- The other components of a heterogeneous job, also one that never started.
INSERT INTO asked_job
SELECT component.*
FROM asked_job
JOIN job AS component ON component.heterogeneous_job_id = asked_job.heterogeneous_job_id AND component.cluster = asked_job.cluster
                     AND component.submit_time IS NOT DISTINCT FROM asked_job.submit_time
WHERE asked_job.heterogeneous_job_id IS NOT NULL
ON CONFLICT DO NOTHING;

DELETE FROM asked_job WHERE start_time IS NULL;

-- The temporary table takes the name `job`, so the steps below read it and not the table of all
-- years. On several servers it replaces the copy that 04_local_jobs.sql made.
DROP TABLE IF EXISTS pg_temp.job;
ALTER TABLE asked_job RENAME TO job;
ANALYZE pg_temp.job (attempt_id, source, cluster, job_id, start_time, end_time, state, resource_id, heterogeneous_job_id, lists_no_accelerators);

-- The components of heterogeneous jobs. `whole` is the least attempt_id of the job.
CREATE TEMP TABLE job_component ON COMMIT DROP AS
SELECT attempt_id, heterogeneous_offset, min(attempt_id) OVER (PARTITION BY cluster, heterogeneous_job_id, submit_time) AS whole
FROM job
WHERE heterogeneous_job_id IS NOT NULL;

CREATE UNIQUE INDEX ON job_component (attempt_id);
ANALYZE job_component;

-- What a rule may match in a job: one row per attribute.
CREATE TEMP TABLE job_attribute ON COMMIT DROP AS
SELECT attempt_id, start_time::date AS day, match, value
FROM (SELECT job.*, unnest(ARRAY(SELECT match
                                 FROM (SELECT match FROM mapping_rule UNION SELECT match FROM family_rule
                                       UNION SELECT match FROM deadline UNION SELECT match FROM waiver) AS rule
                                 WHERE match LIKE 'job\_%')) AS match
      FROM job) AS asked
CROSS JOIN LATERAL (SELECT CASE match WHEN 'job_account' THEN account WHEN 'job_user' THEN user_name WHEN 'job_partition' THEN partition
                                      WHEN 'job_name' THEN job_name WHEN 'job_comment' THEN comment WHEN 'job_qos' THEN qos
                                      WHEN 'job_wckey' THEN wckey WHEN 'job_cluster' THEN cluster END) AS attribute (value)
WHERE value IS NOT NULL;

ANALYZE job_attribute;

SELECT pg_temp.choose('attempt_cost_centre', 'cost_centre', 'mapping_rule', 'attempt_id', 'job_attribute');
SELECT pg_temp.choose('own_family', 'family', 'family_rule', 'attempt_id', 'job_attribute');

-- The attempts with their end. A running job ends for now at the horizon of its source. If newer
-- exports no longer list it, or its job has run again since, it ends at the last time at which it
-- was known to run. The components of a heterogeneous job have one family and are judged together,
-- so K is their sum.
CREATE TEMP TABLE attempt ON COMMIT DROP AS
SELECT job.attempt_id, job.cluster, job.job_id, job.state, job_state.outcome, job.provisional, job.start_time, held.end_time, job.node_count,
       job.accelerators, cost_centre, named.family,
       -- K in the family's unit
       least(CASE unit WHEN 'accelerators' THEN coalesce(held_accelerators, held_nodes * accelerators_per_node) ELSE held_nodes END, 2147483647)::integer AS k,
       -- CPUs on each node, for an attempt that holds no accelerators. It is known to hold none if
       -- its record lists all that was allocated and other jobs of the cluster have accelerators in
       -- theirs.
       CASE WHEN lists_no_accelerators AND job.cluster IN (SELECT cluster FROM recorded_cluster WHERE has_accelerators)
            THEN coalesce(cpus / nullif(job.node_count, 0), 0) END                     AS bare_cpus,
       is_resized,
       -- how long the job was suspended; of a part of a resized job this is not known
       CASE WHEN job.end_time IS NOT NULL AND NOT is_resized AND elapsed_seconds > 0
            THEN greatest(seconds_between(job.start_time, job.end_time) - elapsed_seconds, 0) ELSE 0 END AS suspended_seconds,
       greatest(job.start_time, month_start)                                          AS month_from,
       least(held.end_time, month_end)                                                AS month_to
FROM job
JOIN job_state ON job_state.state = coalesce(job.continued_state, job.state)
JOIN job_horizon USING (source)
LEFT JOIN job_listing USING (source, cluster)
LEFT JOIN attempt_cost_centre USING (attempt_id)
LEFT JOIN own_family USING (attempt_id)
LEFT JOIN job_component USING (attempt_id)
LEFT JOIN (SELECT whole, sum(accelerators) AS accelerators, sum(node_count) AS node_count,
                  -- the family of the first component that has one
                  (array_agg(family ORDER BY job_component.heterogeneous_offset, attempt_id) FILTER (WHERE family IS NOT NULL))[1] AS family
           FROM job_component JOIN job USING (attempt_id) LEFT JOIN own_family USING (attempt_id)
           GROUP BY whole) AS of_whole USING (whole)
CROSS JOIN LATERAL (SELECT coalesce(of_whole.family, own_family.family), coalesce(of_whole.accelerators, job.accelerators),
                           coalesce(of_whole.node_count, job.node_count)) AS named (family, held_accelerators, held_nodes)
LEFT JOIN family_of_month ON family_of_month.family = named.family
CROSS JOIN LATERAL (SELECT coalesce(job.end_time, greatest(least(horizon, known_to(exported_to, followed_at, listed_to)), job.start_time)))
           AS held (end_time)
CROSS JOIN LATERAL (SELECT job.state_text LIKE '%RESIZ%') AS part (is_resized) -- the job was resized and continued
CROSS JOIN month;

CREATE INDEX ON attempt (attempt_id);

-- Jobs of managed services. They are cloud resources themselves. Their records name no nodes, so
-- they hold their instances from start to end.
CREATE TEMP TABLE managed_attempt ON COMMIT DROP AS
SELECT attempt_id, node_count
FROM job
WHERE resource_id IS NOT NULL
  AND attempt_id NOT IN (SELECT attempt_id FROM job JOIN job_hold USING (attempt_id) WHERE resource_id IS NOT NULL);

ANALYZE attempt, managed_attempt;

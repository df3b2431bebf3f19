-- The runs of series measured in production, for measurements.sql. Each run is the steady value of
-- one job.
CREATE TEMP TABLE production_run (
    family          text NOT NULL,
    scaling         text NOT NULL,
    metric          text NOT NULL,
    accelerator     text NOT NULL,
    precision_name  text NOT NULL,
    batch           text NOT NULL,
    model           text NOT NULL,
    sequence_length text NOT NULL,
    software        text NOT NULL,
    origin          text NOT NULL, -- 'production', or 'confirmed': a controlled run agrees
    k               integer NOT NULL,
    value           double precision NOT NULL
) ON COMMIT DROP;

-- The runs of the jobs measured in production, in all months: kstar.job, because a month may have a
-- copy with its own jobs alone. A task of an array is measured under its SLURM_JOB_ID or under the
-- id as shown. The ids are a list, because a join may read the jobs of all years.
CREATE TEMP TABLE measured_job_id ON COMMIT DROP AS
SELECT DISTINCT job_id FROM measurement WHERE job_id IS NOT NULL AND metric IN ('throughput', 'step_time');

CREATE TEMP TABLE production_job ON COMMIT DROP AS
SELECT job_id_raw AS job_id, attempt_id, start_time, coalesce(end_time, 'infinity') AS end_time, node_count, accelerators, resource_id
FROM kstar.job
WHERE start_time IS NOT NULL AND job_id_raw = ANY (ARRAY(SELECT job_id FROM measured_job_id))
UNION ALL
SELECT job_id, attempt_id, start_time, coalesce(end_time, 'infinity'), node_count, accelerators, resource_id
FROM kstar.job
WHERE start_time IS NOT NULL AND job_id <> job_id_raw AND job_id = ANY (ARRAY(SELECT job_id FROM measured_job_id));

-- Who held nodes in the weeks in which these jobs ran, so that holds of other years are not read.
-- The weeks are written into the query, because rows may lie on several servers.
CREATE TEMP TABLE production_hold (
    attempt_id bigint NOT NULL,
    cluster    text NOT NULL,
    node       text NOT NULL,
    start_time timestamptz NOT NULL,
    end_time   timestamptz NOT NULL
) ON COMMIT DROP;

DO $$
DECLARE
    within text;
BEGIN
    SELECT string_agg(format('(start_time < %2$L AND (end_time > %1$L OR end_time IS NULL))', lower(week), upper(week)), ' OR ') INTO within
    FROM (SELECT unnest(range_agg(tstzrange(date_trunc('week', start_time), date_trunc('week', end_time) + interval '1 week'))) AS week
          FROM production_job) AS ran;
    IF within IS NOT NULL THEN
        EXECUTE 'INSERT INTO production_hold SELECT attempt_id, cluster, node, start_time, coalesce(end_time, ''infinity'') FROM kstar.job_node WHERE ' || within;
    END IF;
END
$$;

ANALYZE production_job, production_hold;

-- The runs of series that were measured in production, each the steady value of a job, for
-- measurements.sql.
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

-- The runs of the jobs that were measured so, of all months: a month may have a copy of its own
-- jobs alone. Each id is looked up by its index.
CREATE TEMP TABLE production_job ON COMMIT DROP AS
SELECT ran.*
FROM (SELECT DISTINCT job_id FROM measurement WHERE job_id IS NOT NULL AND metric IN ('throughput', 'step_time')) AS named
CROSS JOIN LATERAL (SELECT attempt_id, job.job_id, start_time, coalesce(end_time, 'infinity') AS end_time, node_count, accelerators, resource_id
                    FROM kstar.job
                    WHERE job_id_raw = named.job_id AND job.job_id = job_id_raw
                    UNION ALL
                    SELECT attempt_id, job.job_id, start_time, coalesce(end_time, 'infinity'), node_count, accelerators, resource_id
                    FROM kstar.job
                    WHERE job.job_id = named.job_id AND job.job_id <> job_id_raw) AS ran
WHERE start_time IS NOT NULL;

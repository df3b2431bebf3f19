-- A run of source $1 that is under way by its record was over when a later run of its job began:
-- without -D, sacct names only the last run of a job. Records when the later run began. A file
-- without JobIDRaw names a task of an array by its JobID. A later file with that column names the
-- task by both. Of two runs with the same start, the later delivery or line has the later run.
WITH named AS MATERIALIZED (
    SELECT cluster, job_id_raw AS known_as, job_id_raw FROM delivered_job
    UNION
    SELECT cluster, job_id, job_id_raw FROM delivered_job
),
under_way AS MATERIALIZED (
    SELECT *
    FROM open_run
    WHERE job_id_raw IN (SELECT known_as FROM named)
),
later_run AS MATERIALIZED (
    SELECT under_way.attempt_id, min(job.start_time) AS start_time
    FROM under_way
    JOIN named ON named.cluster = under_way.cluster AND known_as = under_way.job_id_raw
    JOIN job ON job.source = $1 AND job.cluster = named.cluster AND job.job_id_raw = named.job_id_raw
    JOIN job_place ON job_place.attempt_id = job.attempt_id
    WHERE (job.start_time, job_place.delivery_id, job_place.line_number, job.attempt_id)
          > (under_way.start_time, under_way.delivery_id, under_way.line_number, under_way.attempt_id)
    GROUP BY under_way.attempt_id
)
UPDATE job
SET followed_at = later_run.start_time
FROM under_way
LEFT JOIN later_run USING (attempt_id)
WHERE job.attempt_id = under_way.attempt_id AND job.followed_at IS DISTINCT FROM later_run.start_time;

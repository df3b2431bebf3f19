-- Attempts of source $1 that came with the same submission written another way: sacct's text has it
-- by the clock of the source's zone, its JSON as a point in time. A submission may also be missing
-- or wrong in one record and right in the next: then the run is the one with the same start. A file
-- without JobIDRaw names a task of an array or a component by its JobID, another one by both. They
-- go by the mark and the number that they have, and so do the parts of a resized job.
WITH incoming AS MATERIALIZED (
    SELECT record_number, cluster, job_id, job_id_raw, submit_time, start_time
    FROM staged_job
    JOIN timed_job USING (record_number)
    WHERE attempt_mark ~ '^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)?$'
      AND NOT EXISTS (SELECT FROM recorded_job WHERE recorded_job.attempt_id = staged_job.attempt_id)
),
marked AS MATERIALIZED (
    SELECT record_number, job.attempt_id, job.job_id_raw, attempt_mark, attempt_mark LIKE '% from %' AS is_part, job.start_time = incoming.start_time AS starts_alike
    FROM incoming
    -- each name in a row of its own: a join by one name or another compares all with all
    CROSS JOIN LATERAL (SELECT incoming.job_id_raw UNION SELECT incoming.job_id) AS asked (name)
    JOIN (SELECT recorded_job.*, job_id_raw AS name, true AS is_raw FROM recorded_job
          UNION ALL
          SELECT recorded_job.*, job_id, false FROM recorded_job WHERE job_id <> job_id_raw) AS job
         ON job.cluster = incoming.cluster AND job.name = asked.name AND (is_raw OR incoming.job_id = incoming.job_id_raw)
    WHERE job.source = $1
      AND ((job.submit_time = incoming.submit_time AND attempt_mark ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d( from .*)?$')
           OR (job.start_time = incoming.start_time AND num_nulls(job.submit_time, incoming.submit_time) > 0))
),
renamed AS (
    SELECT record_number, min(job_id_raw) AS job_id_raw,
           min(attempt_id) FILTER (WHERE NOT is_part)                    AS attempt_id,
           min(attempt_mark) FILTER (WHERE NOT is_part)                  AS attempt_mark,
           min(attempt_id) FILTER (WHERE is_part AND starts_alike)       AS part_id,
           min(attempt_mark) FILTER (WHERE is_part AND starts_alike)     AS part_mark
    FROM marked
    GROUP BY record_number
),
staged AS (
    UPDATE staged_job
    SET attempt_id = coalesce(renamed.attempt_id, part_id), attempt_mark = coalesce(renamed.attempt_mark, part_mark), job_id_raw = renamed.job_id_raw,
        resize_attempt_id = coalesce(part_id, resize_attempt_id), resize_mark = coalesce(part_mark, resize_mark)
    FROM renamed
    WHERE staged_job.record_number = renamed.record_number AND coalesce(renamed.attempt_id, part_id) IS NOT NULL
    RETURNING staged_job.record_number, staged_job.attempt_id
)
UPDATE timed_job
SET attempt_id = staged.attempt_id
FROM staged
WHERE timed_job.record_number = staged.record_number;

-- Records of source $1 whose attempt is known under another mark. sacct's text has the submission
-- by the clock of the source's zone, its JSON as a point in time. A submission may also be missing
-- or wrong in one record and right in the next: then the run with the same start is the same. A
-- file without JobIDRaw names a task of an array, or a component, by its JobID; another file names
-- it by both. The records take the mark and the number that job has. So do the parts of a resized
-- job.
WITH incoming AS MATERIALIZED (
    SELECT record_number, cluster, job_id, job_id_raw, submit_time, start_time
    FROM staged_job
    JOIN timed_job USING (record_number)
    WHERE attempt_mark ~ '^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)?$'
      AND NOT EXISTS (SELECT FROM recorded_job WHERE recorded_job.attempt_id = staged_job.attempt_id)
),
-- one join for each name: a join with OR would compare all rows with all
pair AS (
    SELECT asked.record_number, asked.submit_time AS own_submit_time, asked.start_time AS own_start_time, job.*
    FROM (SELECT incoming.*, job_id_raw AS name FROM incoming UNION SELECT incoming.*, job_id FROM incoming) AS asked
    JOIN recorded_job AS job ON job.cluster = asked.cluster AND job.job_id_raw = asked.name
    UNION ALL
    SELECT incoming.record_number, incoming.submit_time, incoming.start_time, job.*
    FROM incoming
    JOIN recorded_job AS job ON job.cluster = incoming.cluster AND job.job_id = incoming.job_id
    WHERE job.job_id <> job.job_id_raw AND incoming.job_id = incoming.job_id_raw
),
marked AS MATERIALIZED (
    SELECT record_number, attempt_id, job_id_raw, attempt_mark, attempt_mark LIKE '% from %' AS is_part, start_time = own_start_time AS starts_alike
    FROM pair
    WHERE source = $1
      AND ((submit_time = own_submit_time AND attempt_mark ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d( from .*)?$')
           OR (start_time = own_start_time AND num_nulls(submit_time, own_submit_time) > 0))
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

-- Assigns records to attempts, and chooses the record that stands for each attempt.
--
-- Records of one identity (source, cluster, job_id_raw, attempt_mark) are one attempt. The
-- exception is a resized job, which held nodes at times that do not overlap: each such span is an
-- attempt of its own. The span that is in job already keeps the identity, otherwise the earliest
-- does. The others are marked by their start.
--
-- A later delivery may also correct times, for example if the source's time zone was wrong. Then
-- the record replaces the one at the other time. So a record at another time is another part only
-- if
-- - no mark distinguishes the job's runs;
-- - this delivery has both spans, or job has the part already; or
-- - one of the two records says that it was resized, and not only their times differ.
--
-- A job that comes in snapshots continues its attempt that is under way, whatever its nodes and
-- start are now. Of several records of an attempt the later one counts, but a record never replaces
-- one that knows more: ended counts before running, and running before never started.
WITH
span AS (
    SELECT attempt_id, start_time, end_time, false AS in_job
    FROM timed_job
    WHERE start_time IS NOT NULL
    UNION ALL
    SELECT attempt_id, start_time, end_time, true
    FROM recorded_job
    WHERE start_time IS NOT NULL AND attempt_id IN (SELECT attempt_id FROM timed_job)
),
first_start AS (
    SELECT DISTINCT ON (attempt_id) attempt_id, start_time
    FROM span
    ORDER BY attempt_id, in_job DESC, start_time
),
first_span AS (
    SELECT attempt_id, start_time, min(end_time) AS end_time, bool_or(NOT in_job) AS is_listed_now
    FROM first_start
    JOIN span USING (attempt_id, start_time)
    GROUP BY attempt_id, start_time
),
going_on AS (
    SELECT DISTINCT ON (record_number) record_number, known.attempt_id, known.attempt_mark
    FROM staged_job
    JOIN recorded_job AS known USING (cluster, job_id_raw)
    WHERE holds_are_seen AND source = $1 AND start_time IS NOT NULL AND end_time IS NULL
    ORDER BY record_number, start_time DESC, known.attempt_id
),
named AS (
    SELECT staged_job.record_number, timed_job.start_time, timed_job.end_time, timed_job.elapsed_seconds,
           CASE WHEN going_on.attempt_id IS NOT NULL THEN going_on.attempt_id
                WHEN is_resize THEN staged_job.resize_attempt_id ELSE staged_job.attempt_id END AS attempt_id,
           CASE WHEN going_on.attempt_id IS NOT NULL THEN going_on.attempt_mark
                WHEN is_resize THEN staged_job.resize_mark ELSE staged_job.attempt_mark END     AS attempt_mark
    FROM staged_job
    JOIN timed_job USING (record_number)
    LEFT JOIN going_on USING (record_number)
    LEFT JOIN first_span ON first_span.attempt_id = staged_job.attempt_id
    LEFT JOIN recorded_job AS known ON known.attempt_id = staged_job.attempt_id
    LEFT JOIN recorded_job AS known_part ON known_part.attempt_id = staged_job.resize_attempt_id
    CROSS JOIN LATERAL (SELECT coalesce(timed_job.start_time <> first_span.start_time
                                        AND (first_span.end_time <= timed_job.start_time
                                             OR timed_job.end_time <= first_span.start_time), false),
                               coalesce((timed_job.elapsed_seconds, staged_job.state_text, staged_job.node_list)
                                        = (known.elapsed_seconds, known.state_text, known.node_list), false))
               AS compared (is_separate, is_alike)
    CROSS JOIN LATERAL (SELECT is_separate
                               AND (staged_job.attempt_mark = '' OR is_listed_now OR known_part.attempt_id IS NOT NULL
                                    OR (NOT is_alike AND (staged_job.state_text LIKE '%RESIZ%' OR known.state_text LIKE '%RESIZ%'))))
               AS r (is_resize)
)
INSERT INTO chosen_job (attempt_id, record_number, attempt_mark)
SELECT DISTINCT ON (attempt_id) attempt_id, record_number, attempt_mark
FROM named
ORDER BY attempt_id, start_time IS NULL, end_time IS NULL,
         CASE WHEN end_time IS NULL THEN elapsed_seconds END DESC, record_number DESC;

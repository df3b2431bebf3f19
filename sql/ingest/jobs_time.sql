-- From wall clocks to points in time, in the source's zone $1. A run that is over without a known end ends after its
-- elapsed and suspended time. An end before its start means that the clock was put back in between: PostgreSQL takes
-- an hour that comes twice for the second of them, which is right for the end, so the start is reckoned from there.
WITH point AS (
    SELECT record_number, attempt_id, started, ended,
           make_interval(secs => elapsed_seconds + suspended_seconds) AS span,
           CASE WHEN has_offset THEN 'UTC' ELSE $1 END                AS zone,
           submit_clock, eligible_clock, start_clock, end_clock
    FROM staged_job
),
timed AS (
    SELECT record_number, attempt_id, started, ended, span,
           submit_clock AT TIME ZONE zone   AS submit_time,
           eligible_clock AT TIME ZONE zone AS eligible_time,
           start_clock AT TIME ZONE zone    AS start_time,
           end_clock AT TIME ZONE zone      AS end_time
    FROM point
),
placed AS (
    SELECT record_number, attempt_id, started, ended, span, submit_time, eligible_time, end_time,
           CASE WHEN end_time < start_time THEN end_time - span ELSE start_time END AS start_time
    FROM timed
)
INSERT INTO timed_job (record_number, attempt_id, submit_time, eligible_time, start_time, end_time, covered_to)
SELECT record_number, attempt_id, submit_time, eligible_time,
       CASE WHEN started THEN start_time END,
       CASE WHEN started AND ended THEN coalesce(end_time, start_time + span) END,
       greatest(submit_time, start_time, end_time, CASE WHEN started THEN start_time + span END)
FROM placed;

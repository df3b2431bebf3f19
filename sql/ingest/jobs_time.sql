-- From wall clocks to points in time, in the source's zone $1. A run that is over without a known end ends after its
-- elapsed and suspended time.
--
-- An hour that a clock shows twice is read both ways. Start and end are the pair that does not go backwards and comes
-- nearest to elapsed + suspended time; what that leaves open (a run within the hour; no elapsed time) is the later
-- reading. A submission is before its start. A start or end that the clock skips, or an end before its start in every
-- reading, is a problem: jobs_unplaced.sql takes the record out.
--
-- Where start and end are over a day from elapsed + suspended time, one of them is wrong, and neither tells how far the record reaches.
WITH point AS (
    SELECT staged_job.*, CASE WHEN has_offset THEN 'UTC' ELSE $1 END AS zone,
           make_interval(secs => elapsed_seconds + suspended_seconds) AS span
    FROM staged_job
),
reading AS (
    SELECT point.*,
           pg_temp.earlier_reading(submit_clock, zone) AS submit_early,
           submit_clock AT TIME ZONE zone              AS submit_late,
           eligible_clock AT TIME ZONE zone            AS eligible_time,
           pg_temp.earlier_reading(start_clock, zone)  AS start_early,
           start_clock AT TIME ZONE zone               AS start_late,
           pg_temp.earlier_reading(end_clock, zone)    AS end_early,
           end_clock AT TIME ZONE zone                 AS end_late
    FROM point
),
placed AS (
    SELECT reading.*,
           coalesce(chosen.start_at, start_late) AS start_at,
           coalesce(chosen.end_at, end_late)     AS end_at
    FROM reading
    LEFT JOIN LATERAL (
        SELECT start_at, end_at
        FROM (VALUES (1, start_late, end_late), (2, start_late, end_early),
                     (3, start_early, end_late), (4, start_early, end_early)) AS pair (preference, start_at, end_at)
        WHERE start_early < start_late OR end_early < end_late
        ORDER BY end_at < start_at, abs(extract(epoch FROM end_at - start_at - span)), preference
        LIMIT 1
    ) AS chosen ON true
)
INSERT INTO timed_job (record_number, attempt_id, submit_time, eligible_time, start_time, end_time, elapsed_seconds,
                       covered_to, problem)
SELECT record_number, attempt_id,
       CASE WHEN submit_late > start_at THEN submit_early ELSE submit_late END, eligible_time,
       CASE WHEN started THEN start_at END,
       CASE WHEN started AND ended THEN coalesce(end_at, start_at + span) END,
       coalesce(elapsed_seconds, greatest(extract(epoch FROM end_at - start_at)::bigint - suspended_seconds, 0), 0),
       CASE WHEN abs(extract(epoch FROM end_at - start_at - span)) > 86400 THEN greatest(submit_late, start_at)
            ELSE greatest(submit_late, start_at, end_at, CASE WHEN started THEN start_at + span END) END,
       CASE WHEN NOT started                                     THEN NULL
            WHEN start_clock IS NOT NULL AND start_early IS NULL THEN 'start skipped'
            WHEN end_clock IS NOT NULL AND end_early IS NULL     THEN 'end skipped'
            WHEN end_at < start_at                               THEN 'end before start' END
FROM placed;

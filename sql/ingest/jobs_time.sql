-- Turns wall clocks into points in time, in the source's zone $1. A run that is over without a
-- known end ends after its elapsed and suspended time.
--
-- An hour that a clock shows twice is read both ways. Start and end are the pair that does not go
-- backwards and is nearest to elapsed + suspended time. If both readings fit (a run within the
-- hour; no elapsed time), the later one counts. A submission is before its start: one that is later
-- in every reading is wrong and becomes null. A start or end that the clock skips, or an end before
-- its start in every reading, is a problem: jobs_unplaced.sql removes the record.
--
-- What jobs_horizon.sql needs: covered_to is the latest time that the record reports. If start and
-- end differ by over a day from elapsed + suspended time, one of them is wrong, and neither the end
-- nor start + elapsed + suspended counts. If elapsed time confirms the run, the run as a whole
-- reports covered_to, from covered_from on; otherwise covered_from is the same time.
-- next_latest_time is the latest other time of the record.
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
                       covered_to, covered_from, next_latest_time, problem)
SELECT record_number, attempt_id, submit_at, eligible_time,
       CASE WHEN started THEN start_at END,
       CASE WHEN started AND ended THEN coalesce(end_at, start_at + span) END,
       coalesce(elapsed_seconds, greatest(extract(epoch FROM end_at - start_at)::bigint - suspended_seconds, 0), 0),
       covered_to,
       CASE WHEN is_confirmed THEN start_at ELSE covered_to END,
       CASE WHEN is_confirmed THEN submit_at
            WHEN is_torn THEN least(submit_at, start_at)
            ELSE (SELECT reported FROM unnest(ARRAY[submit_at, start_at, end_at]) AS reported
                  WHERE reported IS NOT NULL ORDER BY reported DESC OFFSET 1 LIMIT 1) END,
       CASE WHEN NOT started                                     THEN NULL
            WHEN start_clock IS NOT NULL AND start_early IS NULL THEN 'start skipped'
            WHEN end_clock IS NOT NULL AND end_early IS NULL     THEN 'end skipped'
            WHEN end_at < start_at                               THEN 'end before start' END
FROM placed
CROSS JOIN LATERAL (
    SELECT CASE WHEN (submit_late > start_at) IS NOT TRUE THEN submit_late
                WHEN submit_early <= start_at OR NOT started THEN submit_early END,
           coalesce(elapsed_seconds IS NOT NULL AND abs(extract(epoch FROM end_at - start_at - span)) > 86400, false)
) AS submission (submit_at, is_torn)
CROSS JOIN LATERAL (
    SELECT started AND NOT is_torn AND elapsed_seconds IS NOT NULL AND (end_at IS NOT NULL OR elapsed_seconds > 0),
           CASE WHEN is_torn THEN greatest(submit_at, start_at)
                ELSE greatest(submit_at, start_at, end_at, CASE WHEN started THEN start_at + span END) END
) AS coverage (is_confirmed, covered_to);

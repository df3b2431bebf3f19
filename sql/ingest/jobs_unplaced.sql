-- Removes the records whose times have no meaning in the source's zone $1, and returns what is
-- quarantined of them.
WITH unplaced AS (
    DELETE FROM timed_job WHERE problem IS NOT NULL RETURNING record_number, problem
),
taken AS (
    DELETE FROM staged_job USING unplaced WHERE staged_job.record_number = unplaced.record_number
    RETURNING line, raw, problem,
              to_char(CASE problem WHEN 'start skipped' THEN start_clock ELSE end_clock END,
                      'YYYY-MM-DD"T"HH24:MI:SS') AS clock
)
SELECT line, CASE problem WHEN 'start skipped' THEN 'Start' ELSE 'End' END AS column_name,
       CASE problem WHEN 'end before start' THEN format('"%s" is before Start', clock)
                    ELSE format('"%s" is a time that clocks skip in %s: is the time zone right?', clock, $1::text)
       END AS reason,
       raw
FROM taken
ORDER BY line;

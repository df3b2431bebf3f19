-- The UTC offsets of time zone $1 from 1990 to 2100: from when on each applies, and the offset
-- itself, both in microseconds.
WITH day AS (
    SELECT at, (at AT TIME ZONE $1) - (at AT TIME ZONE 'UTC') AS utc_offset
    FROM generate_series('1990-01-01'::timestamptz, '2100-01-01'::timestamptz, interval '24 hours') AS series (at)
), changed AS ( -- the days on which clocks were set
    SELECT at
    FROM (SELECT at, utc_offset, lead(utc_offset) OVER (ORDER BY at) AS next_utc_offset FROM day) AS neighbour
    WHERE utc_offset <> next_utc_offset
), quarter AS (
    SELECT quarter AS at, (quarter AT TIME ZONE $1) - (quarter AT TIME ZONE 'UTC') AS utc_offset
    FROM changed
    CROSS JOIN LATERAL generate_series(at, at + interval '24 hours', interval '15 minutes') AS series (quarter)
    UNION
    SELECT at, utc_offset FROM day WHERE at = '1990-01-01'::timestamptz
), step AS (
    SELECT at, utc_offset, lag(utc_offset) OVER (ORDER BY at) AS previous_utc_offset FROM quarter
)
SELECT extract(epoch FROM at)::bigint * 1000000, extract(epoch FROM utc_offset)::bigint * 1000000
FROM step
WHERE utc_offset IS DISTINCT FROM previous_utc_offset
ORDER BY at;

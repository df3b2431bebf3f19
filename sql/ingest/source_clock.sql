-- The offsets of time zone $1's clocks from 1990 to 2100: from when on, and how far ahead of UTC
-- they are, both in microseconds.
WITH day AS (
    SELECT at, (at AT TIME ZONE $1) - (at AT TIME ZONE 'UTC') AS ahead
    FROM generate_series('1990-01-01'::timestamptz, '2100-01-01'::timestamptz, interval '24 hours') AS series (at)
), changed AS ( -- the days on which clocks were set
    SELECT at
    FROM (SELECT at, ahead, lead(ahead) OVER (ORDER BY at) AS next_ahead FROM day) AS neighbour
    WHERE ahead <> next_ahead
), quarter AS (
    SELECT quarter AS at, (quarter AT TIME ZONE $1) - (quarter AT TIME ZONE 'UTC') AS ahead
    FROM changed
    CROSS JOIN LATERAL generate_series(at, at + interval '24 hours', interval '15 minutes') AS series (quarter)
    UNION
    SELECT at, ahead FROM day WHERE at = '1990-01-01'::timestamptz
), step AS (
    SELECT at, ahead, lag(ahead) OVER (ORDER BY at) AS ahead_before FROM quarter
)
SELECT extract(epoch FROM at)::bigint * 1000000, extract(epoch FROM ahead)::bigint * 1000000
FROM step
WHERE ahead IS DISTINCT FROM ahead_before
ORDER BY at;

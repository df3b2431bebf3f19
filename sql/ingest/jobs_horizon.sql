-- The last time that the records of source $1 cover, found anew from all of them: a corrected
-- record takes back what the wrong one reported.
--
-- A time more than the setting horizon_gap_hours after the source's next-latest one sets no
-- horizon. A run that its elapsed time confirms is one time, which begins at its start
-- (jobs_time.sql). Only the thousand records with the latest covered_to are read.
WITH latest AS MATERIALIZED (
    SELECT covered_to, covered_from, next_latest_time
    FROM job
    WHERE source = $1 AND covered_to IS NOT NULL
    ORDER BY covered_to DESC
    LIMIT 1000
),
reported AS (
    SELECT covered_from AS reported_from, covered_to AS reported_to FROM latest
    UNION ALL
    SELECT next_latest_time, next_latest_time FROM latest WHERE next_latest_time IS NOT NULL
),
compared AS (
    SELECT reported_from, reported_to, lead(reported_to) OVER (ORDER BY reported_to DESC, reported_from DESC) AS next_to
    FROM reported
)
INSERT INTO job_horizon (source, horizon)
SELECT $1, max(reported_to)
FROM compared
WHERE (reported_from - next_to > horizon_gap()) IS NOT TRUE
HAVING max(reported_to) IS NOT NULL
ON CONFLICT (source) DO UPDATE SET horizon = excluded.horizon;

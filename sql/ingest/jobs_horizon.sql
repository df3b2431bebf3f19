-- The last time that the records of source $1 cover, as they stand: one that was put right takes back what the wrong one told.
--
-- A time more than the setting horizon_gap_hours after the source's next-latest one sets no horizon. A run that its elapsed time
-- confirms is one time, which begins at its start (jobs_time.sql). Of all records the thousand that reach furthest are looked at.
WITH rule AS (
    SELECT make_interval(hours => coalesce((SELECT value::integer FROM setting WHERE parameter = 'horizon_gap_hours'
                                            ORDER BY valid_from DESC LIMIT 1), 24)) AS gap
),
latest AS MATERIALIZED (
    SELECT covered_to, covered_from, told_before
    FROM job
    WHERE source = $1 AND covered_to IS NOT NULL
    ORDER BY covered_to DESC
    LIMIT 1000
),
told AS (
    SELECT covered_from AS told_from, covered_to AS told_to FROM latest
    UNION ALL
    SELECT told_before, told_before FROM latest WHERE told_before IS NOT NULL
),
compared AS (
    SELECT told_from, told_to, lead(told_to) OVER (ORDER BY told_to DESC, told_from DESC) AS next_to
    FROM told
)
INSERT INTO job_horizon (source, horizon)
SELECT $1, max(told_to)
FROM compared
CROSS JOIN rule
WHERE (told_from - next_to > gap) IS NOT TRUE
HAVING max(told_to) IS NOT NULL
ON CONFLICT (source) DO UPDATE SET horizon = excluded.horizon;

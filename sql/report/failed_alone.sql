-- Sheet "Failed runs" of everybody's workbook: by cost centre or by family ($1: cost_centre,
-- family). A cost centre's workbook would have nothing to add up. The row numbers are those of
-- failed_factor.sql.
WITH named AS (
    SELECT factor.*, CASE $1 WHEN 'family' THEN family ELSE cost_centre END AS name,
           CASE $1 WHEN 'family' THEN cost_centre ELSE family END           AS other
    FROM report_failed_factor AS factor
    WHERE statement_month = current_setting('kstar.statement_month')::date
)
SELECT dense_rank() OVER (ORDER BY name COLLATE "C") AS number, name, sum(leaf.failed_minor)::bigint AS failed_minor,
       sum(leaf.productive_minor)::bigint AS productive_minor, sum(leaf.cancelled_minor)::bigint AS cancelled_minor,
       CASE WHEN sum(leaf.productive_minor) > 0
            THEN round(sum(leaf.failed_minor)::numeric / sum(leaf.productive_minor), 6) END AS measured,
       min(alone.failed_attempts) AS failed_attempts, min(alone.productive_attempts) AS productive_attempts,
       min(alone.cancelled_attempts) AS cancelled_attempts, min(alone.factor) AS factor, min(alone.factor_from) AS factor_from
FROM named AS leaf
JOIN (SELECT * FROM named WHERE other = '*') AS alone USING (name)
WHERE leaf.cost_centre <> '*' AND leaf.family <> '*'
GROUP BY name
ORDER BY name COLLATE "C";

-- The cost centres that get a workbook of their own: all that are charged, even if only by an
-- adjustment to a closed month, and carriers that are cost centres.
WITH charged AS (
    SELECT DISTINCT cost_centre, cost_centre_name
    FROM report_line
    WHERE section IN (1, 6) OR (section = 8 AND cost_centre_name IS NOT NULL)
), adjusted AS (
    SELECT DISTINCT cost_centre, name AS cost_centre_name
    FROM report_adjustment
    CROSS JOIN LATERAL (SELECT stated_cost_centre_name(current_setting('kstar.statement_month')::date, cost_centre)) AS declared (name)
    WHERE cost_centre IS NOT NULL AND (subject = '' OR name IS NOT NULL)
)
SELECT cost_centre, cost_centre_name FROM charged
UNION ALL
SELECT cost_centre, cost_centre_name FROM adjusted WHERE cost_centre NOT IN (SELECT cost_centre FROM charged)
ORDER BY cost_centre;

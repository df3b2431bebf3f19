-- The cost centres that get a workbook of their own: all that are charged, if only by an adjustment
-- to a closed month, and carriers that are cost centres.
WITH charged AS (
    SELECT DISTINCT cost_centre, cost_centre_name
    FROM report_line
    WHERE section IN (1, 6) OR (section = 8 AND cost_centre_name IS NOT NULL)
), adjusted AS (
    SELECT DISTINCT cost_centre, name AS cost_centre_name
    FROM report_adjustment
    LEFT JOIN LATERAL (SELECT name
                       FROM stated_cost_centre AS declared
                       WHERE declared.statement_month = current_setting('kstar.statement_month')::date
                         AND declared.cost_centre = report_adjustment.cost_centre
                         -- the last name that it had by then
                         AND valid_from < statement_month + interval '1 month'
                       ORDER BY valid_from DESC
                       LIMIT 1) AS declared ON true
    WHERE cost_centre IS NOT NULL AND (subject = '' OR name IS NOT NULL)
)
SELECT cost_centre, cost_centre_name FROM charged
UNION ALL
SELECT cost_centre, cost_centre_name FROM adjusted WHERE cost_centre NOT IN (SELECT cost_centre FROM charged)
ORDER BY cost_centre;

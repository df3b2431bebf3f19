-- How many rows the sheet "Attempts" has.
SELECT count(*) FILTER (WHERE is_listed) + count(DISTINCT is_listed) FILTER (WHERE NOT is_listed)
FROM report_attempt_row
WHERE scope = (SELECT current_setting('kstar.cost_centre'));

-- How many rows the sheet "Attempts" has.
SELECT count(*)
FROM report_attempt_row
WHERE scope = (SELECT current_setting('kstar.cost_centre'));

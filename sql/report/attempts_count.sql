-- How many rows the sheet "Attempts" has.
SELECT count(*)
FROM report_attempt
WHERE is_shown;

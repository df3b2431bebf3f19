-- Whether there is a sheet "Adjustments".
SELECT count(*)
FROM report_adjustment
WHERE current_setting('kstar.cost_centre') IN ('', cost_centre);

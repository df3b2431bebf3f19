-- Whether there is a sheet "Unit costs": whether results count in the month.
SELECT count(*)
FROM report_unit_cost
WHERE current_setting('kstar.cost_centre') IN ('', cost_centre);

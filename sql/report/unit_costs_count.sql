-- Whether there is a sheet "Unit costs": how many results count in the month.
SELECT count(*)
FROM report_result
WHERE current_setting('kstar.cost_centre') IN ('', cost_centre) AND result <> 'no such run group';

-- How many sheets "Statement lines" needs.
SELECT count(*) FROM report_line WHERE current_setting('kstar.cost_centre') IN ('', cost_centre);

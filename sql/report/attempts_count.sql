-- How many sheets "Attempts" needs, at most.
SELECT count(*)
FROM report_run_group
JOIN job_result USING (attempt_id)
WHERE current_setting('kstar.cost_centre') IN ('', cost_centre);

-- How many rows the sheet "Jobs" has.
SELECT count(*) FROM job_result
WHERE statement_month = current_setting('kstar.statement_month')::date
  AND current_setting('kstar.cost_centre') IN ('', cost_centre);

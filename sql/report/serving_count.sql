-- Whether there is a sheet "Serving fleets": how many there are.
SELECT count(*)
FROM serving_cost
WHERE statement_month = current_setting('kstar.statement_month')::date AND current_setting('kstar.cost_centre') IN ('', cost_centre);

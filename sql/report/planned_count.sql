-- How many rows the sheet "Planned trainings" has.
SELECT count(*)
FROM planned_training_cost
WHERE statement_month = current_setting('kstar.statement_month')::date AND needs_approval(statement_month, cost_minor);

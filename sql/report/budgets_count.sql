-- How many budgets the sheet "Summary" shows. 0: the month has no budgets, or the cost centre of
-- the workbook has none.
SELECT count(*)
FROM stated_budget
WHERE statement_month = current_setting('kstar.statement_month')::date AND month = to_char(statement_month, 'YYYY-MM')
  AND current_setting('kstar.cost_centre') IN ('', cost_centre);

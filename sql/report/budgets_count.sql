-- How many budgets the sheet "Summary" shows; none: the month has no budgets, or in a cost centre's
-- workbook it has none.
SELECT count(*)
FROM stated_budget
WHERE statement_month = current_setting('kstar.statement_month')::date AND month = to_char(statement_month, 'YYYY-MM')
  AND current_setting('kstar.cost_centre') IN ('', cost_centre);

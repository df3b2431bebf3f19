-- Nothing is published of a month that has no bill any more and carries no adjustments. But where
-- its journal was issued it stays, until the issue that reverses what the ledger has of it.
SELECT pg_temp.unpublish(statement_month)
FROM month JOIN withdrawn_statement USING (statement_month);

DELETE FROM neighbour_bill USING month
WHERE neighbour_bill.statement_month = month.statement_month AND month.statement_month NOT IN (SELECT statement_month FROM statement);
DELETE FROM budget_alert USING month
WHERE budget_alert.statement_month = month.statement_month AND month.statement_month NOT IN (SELECT statement_month FROM statement);

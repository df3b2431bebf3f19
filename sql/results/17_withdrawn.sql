-- A statement whose month has no bill any more and no adjustments is withdrawn. If its journal was
-- issued, the statement stays until another issue has reversed the ledger's bookings.
SELECT pg_temp.unpublish(statement_month)
FROM month JOIN withdrawn_statement USING (statement_month);

DELETE FROM neighbour_bill USING month
WHERE neighbour_bill.statement_month = month.statement_month AND month.statement_month NOT IN (SELECT statement_month FROM statement);
DELETE FROM budget_alert USING month
WHERE budget_alert.statement_month = month.statement_month AND month.statement_month NOT IN (SELECT statement_month FROM statement);

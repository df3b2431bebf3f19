-- Nothing is published of a month that has no bill any more and carries no adjustments. But where its journal was issued it stays, until the
-- issue that reverses what the ledger has of it.
SELECT pg_temp.unpublish(statement_month)
FROM month
WHERE statement_month NOT IN (SELECT statement_month FROM open_month)
  AND statement_month NOT IN (SELECT adjustment_carrier(adjusted_month) FROM prior_period_difference)
  AND NOT EXISTS (SELECT
                  FROM journal_line
                  WHERE journal_line.statement_month = month.statement_month AND block <> 'reversal'
                    AND issue_number = (SELECT max(issue_number) FROM journal_issue WHERE journal_issue.statement_month = month.statement_month));

DELETE FROM neighbour_bill USING month
WHERE neighbour_bill.statement_month = month.statement_month AND month.statement_month NOT IN (SELECT statement_month FROM statement);
DELETE FROM budget_alert USING month
WHERE budget_alert.statement_month = month.statement_month AND month.statement_month NOT IN (SELECT statement_month FROM statement);

-- A month whose bill was withdrawn lost its statement once its journal was reversed, but only in a night that had other news: that an issue
-- is not among the inputs of a statement.

-- Statements of nothing: neither bill nor adjustments, and nothing in the ledger that is not reversed.
CREATE VIEW withdrawn_statement AS
SELECT statement_month
FROM statement
WHERE status = 'Preliminary'
  AND statement_month NOT IN (SELECT statement_month FROM open_month)
  AND statement_month NOT IN (SELECT adjustment_carrier(adjusted_month) FROM prior_period_difference)
  AND NOT EXISTS (SELECT
                  FROM journal_line
                  WHERE journal_line.statement_month = statement.statement_month AND block <> 'reversal'
                    AND issue_number = (SELECT max(issue_number) FROM journal_issue
                                        WHERE journal_issue.statement_month = statement.statement_month));

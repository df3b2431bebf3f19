-- A row with the month, if the journal of report/journal.sql must not be issued: it is a preview of
-- an open month whose statement is out of date. The present data and the rules $1 give another
-- statement at the same as-of, or the statement is withdrawn.
SELECT to_char(statement_month, 'YYYY-MM')
FROM statement
JOIN report_journal USING (statement_month)
WHERE status = 'Preliminary' AND issue_number IS NULL
  AND (run_id <> statement_run_id(statement_month, $1, as_of) OR statement_month IN (SELECT statement_month FROM withdrawn_statement));

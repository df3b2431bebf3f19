-- A row with the month, if the journal of report/journal.sql must not be issued: it is a preview of
-- an open month whose statement is out of date. The present data and the rules $1 give another
-- statement at the same as-of, or the statement is withdrawn.
WITH published AS MATERIALIZED (
    SELECT statement_month, run_id, set_in_transaction('kstar.as_of', as_of::text)
    FROM statement
    JOIN report_journal USING (statement_month)
    WHERE status = 'Preliminary' AND issue_number IS NULL
)
SELECT to_char(statement_month, 'YYYY-MM')
FROM published
WHERE run_id <> statement_run_id(statement_month, $1) OR statement_month IN (SELECT statement_month FROM withdrawn_statement);

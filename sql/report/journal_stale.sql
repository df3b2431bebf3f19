-- A row: the journal that report/journal.sql has made has no posting key, and its month is open,
-- but its statement is not what the present data and rules give at its own as-of. $1 is the
-- rules.
WITH published AS MATERIALIZED (
    SELECT statement_month, run_id, set_in_transaction('kstar.as_of', as_of::text)
    FROM statement
    JOIN report_journal USING (statement_month)
    WHERE status = 'Preliminary' AND issue_number IS NULL
)
SELECT to_char(statement_month, 'YYYY-MM')
FROM published
WHERE run_id <> statement_run_id(statement_month, $1) OR statement_month IN (SELECT statement_month FROM withdrawn_statement);

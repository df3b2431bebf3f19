-- The columns of the journal's file: journal_columns.csv on the month's last day. No row: the
-- default columns.
SELECT heading, field
FROM stated_journal_column
JOIN report_journal USING (statement_month)
WHERE valid_from < statement_month + interval '1 month' AND valid_to >= statement_month + interval '1 month'
ORDER BY position;

-- Issues the journal that report/journal.sql has made: a preview gets the next number and is kept.
-- An earlier issue stays as it is.
UPDATE report_journal
SET issue_number = coalesce((SELECT max(journal_issue.issue_number) FROM journal_issue
                             WHERE journal_issue.statement_month = report_journal.statement_month), 0) + 1
WHERE issue_number IS NULL;

INSERT INTO journal_issue (statement_month, issue_number, company, currency, kind, accounting_date, reversal_date, source, content_sha256)
SELECT statement_month, issue_number, company, currency, kind, accounting_date, reversal_date, source, content_sha256
FROM report_journal
ON CONFLICT DO NOTHING;

INSERT INTO journal_line (statement_month, issue_number, line_number, block, line_type, company, currency, minor_unit_digits,
                          accounting_date, reversal_date, gl_account, cost_centre, component, subject, minor_units,
                          external_reference, memo, reverses)
SELECT statement_month, issue_number, line_number, block, line_type, line.company, line.currency, line.minor_unit_digits,
       line.accounting_date, line.reversal_date, gl_account, cost_centre, component, subject, minor_units, external_reference, memo,
       reverses
FROM report_journal_line AS line CROSS JOIN report_journal
ON CONFLICT DO NOTHING;

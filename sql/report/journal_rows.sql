-- The rows of journal-YYYY-MM.csv with every field that a column can ask for, as text: a header per company and currency, then
-- the lines. What belongs to the header stands on the lines as well.
WITH form AS (
    SELECT report_journal.*, to_char(statement_month, 'YYYY-MM') AS period,
           stated_setting_value(statement_month, 'journal_date_form', 'YYYY-MM-DD') AS date_form,
           stated_setting_value(statement_month, 'journal_decimal_mark', '.') AS decimal_mark
    FROM report_journal
), control AS (
    SELECT company, currency, minor_unit_digits, coalesce(sum(minor_units) FILTER (WHERE minor_units > 0), 0) AS total
    FROM (SELECT company, currency, minor_unit_digits, minor_units FROM report_journal_line
          UNION ALL
          SELECT company, currency, minor_unit_digits, 0 FROM report_journal) AS booked
    GROUP BY company, currency, minor_unit_digits
), record AS (
    SELECT 'header' AS record, NULL::integer AS line_number, company, currency, minor_unit_digits, total, kind, accounting_date,
           reversal_date, NULL::text AS block, NULL::text AS line_type, NULL::text AS gl_account, NULL::text AS cost_centre,
           NULL::bigint AS minor_units, NULL::text AS memo, NULL::text AS external_reference, NULL::text AS reverses
    FROM control
    CROSS JOIN (SELECT kind, accounting_date, reversal_date FROM report_journal) AS own
    UNION ALL
    SELECT 'line', line_number, company, currency, minor_unit_digits, total,
           CASE WHEN reversal_date IS NULL THEN 'final' ELSE 'accrual' END, accounting_date, reversal_date, block, line_type,
           gl_account, cost_centre, minor_units, memo, external_reference, reverses
    FROM report_journal_line
    JOIN control USING (company, currency, minor_unit_digits)
)
SELECT record, journal_posting_key(record.company, statement_month, issue_number) AS posting_key, record.company, period,
       issue_number AS issue, record.kind, record.currency,
       to_char(record.accounting_date, date_form) AS accounting_date, to_char(record.reversal_date, date_form) AS reversal_date,
       source, journal_amount(total, record.minor_unit_digits, decimal_mark) AS control_total,
       line_number AS line, block, line_type, gl_account, cost_centre,
       CASE WHEN minor_units > 0 THEN journal_amount(minor_units, record.minor_unit_digits, decimal_mark) END AS debit,
       CASE WHEN minor_units < 0 THEN journal_amount(-minor_units, record.minor_unit_digits, decimal_mark) END AS credit,
       journal_amount(minor_units, record.minor_unit_digits, decimal_mark) AS amount,
       journal_amount(abs(minor_units), record.minor_unit_digits, decimal_mark) AS value,
       CASE WHEN minor_units > 0 THEN 'D' WHEN minor_units < 0 THEN 'C' END AS side,
       memo, external_reference, reverses
FROM record CROSS JOIN form
ORDER BY record, line_number, record.company COLLATE "C", record.currency COLLATE "C";

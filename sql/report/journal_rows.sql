-- The rows of journal-YYYY-MM.csv with every field that a column can ask for, as text: a header for
-- each document, then the lines. The lines repeat the values of their header.
WITH form AS (
    SELECT report_journal.*, to_char(statement_month, 'YYYY-MM') AS period,
           stated_setting_value(statement_month, 'journal_date_form', 'YYYY-MM-DD') AS date_form,
           stated_setting_value(statement_month, 'journal_decimal_mark', '.') AS decimal_mark
    FROM report_journal
), record AS (
    SELECT 'header' AS record, document_no, NULL::integer AS line_number, NULL::text AS block, NULL::text AS line_type,
           NULL::text AS gl_account, NULL::text AS cost_centre, NULL::bigint AS minor_units, NULL::text AS memo,
           NULL::text AS external_reference, NULL::text AS reverses
    FROM report_journal_document
    UNION ALL
    SELECT 'line', document_no, line_number, block, line_type, gl_account, cost_centre, minor_units, memo, external_reference, reverses
    FROM report_journal_line AS line
    JOIN report_journal_document AS document USING (company, currency, minor_unit_digits)
    WHERE line.reversal_date IS NOT DISTINCT FROM document.reversal_date
)
SELECT record, document.posting_key, document.company, period, issue_number AS issue, document.kind, document.currency,
       to_char(accounting_date, date_form) AS accounting_date, to_char(document.reversal_date, date_form) AS reversal_date,
       source, journal_amount(debit, document.minor_unit_digits, decimal_mark) AS control_total,
       line_number AS line, block, line_type, gl_account, cost_centre,
       CASE WHEN minor_units > 0 THEN journal_amount(minor_units, document.minor_unit_digits, decimal_mark) END AS debit,
       CASE WHEN minor_units < 0 THEN journal_amount(-minor_units, document.minor_unit_digits, decimal_mark) END AS credit,
       journal_amount(minor_units, document.minor_unit_digits, decimal_mark) AS amount,
       journal_amount(abs(minor_units), document.minor_unit_digits, decimal_mark) AS value,
       CASE WHEN minor_units > 0 THEN 'D' WHEN minor_units < 0 THEN 'C' END AS side,
       memo, external_reference, reverses
FROM record
JOIN report_journal_document AS document USING (document_no)
CROSS JOIN form
ORDER BY record, line_number, document_no;

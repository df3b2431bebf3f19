-- Sheet "Journal": its lines in the statement's currency, as in the file.
SELECT line_number, block, line_type, document.company, gl_account, cost_centre,
       CASE WHEN minor_units > 0 THEN minor_units END AS debit, CASE WHEN minor_units < 0 THEN -minor_units END AS credit,
       memo, external_reference, line.accounting_date, line.reversal_date, document_no
FROM report_journal_line AS line
JOIN report_journal_document AS document USING (company, currency, minor_unit_digits)
CROSS JOIN report_journal
WHERE document.currency = report_journal.currency AND line.reversal_date IS NOT DISTINCT FROM document.reversal_date
ORDER BY line_number;

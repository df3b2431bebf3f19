-- Sheet "Journal": lines in another currency: the reversal of what was issued before the statement's currency changed.
SELECT line_number, block, line_type, document.company, gl_account, cost_centre,
       CASE WHEN minor_units > 0 THEN journal_amount(minor_units, document.minor_unit_digits, '.') END AS debit,
       CASE WHEN minor_units < 0 THEN journal_amount(-minor_units, document.minor_unit_digits, '.') END AS credit,
       memo, external_reference, line.accounting_date, line.reversal_date, document.currency, coalesce(posting_key, 'none: preview') AS posting_key
FROM report_journal_line AS line
JOIN report_journal_document AS document USING (company, currency, minor_unit_digits)
CROSS JOIN report_journal
WHERE document.currency <> report_journal.currency AND line.reversal_date IS NOT DISTINCT FROM document.reversal_date
ORDER BY line_number;

-- Sheet "Journal": lines in another currency: the reversal of what was issued before the statement's currency changed.
SELECT line_number, block, line_type, line.company, gl_account, cost_centre,
       CASE WHEN minor_units > 0 THEN journal_amount(minor_units, line.minor_unit_digits, '.') END AS debit,
       CASE WHEN minor_units < 0 THEN journal_amount(-minor_units, line.minor_unit_digits, '.') END AS credit,
       memo, external_reference, line.accounting_date, line.reversal_date, line.currency
FROM report_journal_line AS line
CROSS JOIN report_journal
WHERE line.currency <> report_journal.currency
ORDER BY line_number;

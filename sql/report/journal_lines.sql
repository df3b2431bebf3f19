-- Sheet "Journal": its lines in the statement's currency, as in the file.
SELECT line_number, block, line_type, line.company, gl_account, cost_centre,
       CASE WHEN minor_units > 0 THEN minor_units END AS debit, CASE WHEN minor_units < 0 THEN -minor_units END AS credit,
       memo, external_reference, line.accounting_date, line.reversal_date
FROM report_journal_line AS line
JOIN report_journal USING (currency)
ORDER BY line_number;

-- Sheet "Reconciliation": why billed and effective cost differ, per invoice and commitment or
-- service.
SELECT invoice_no, source, invoice_id, report_section.title AS kind, subject, minor_units
FROM report_line
JOIN report_section USING (section)
WHERE section IN (3, 4, 5)
ORDER BY invoice_no, section, subject COLLATE "C", gl_account COLLATE "C", minor_units;

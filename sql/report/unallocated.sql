-- Sheet "Unallocated and idle": what of the invoices reaches nobody, and why.
SELECT reason, row_key AS subject, invoice_no, statement_invoice.source, statement_invoice.invoice_id,
       sum(statement_row.minor_units)::bigint AS minor_units
FROM statement_row
JOIN report_invoice USING (invoice_key)
JOIN statement_invoice USING (statement_month, invoice_key)
WHERE statement_month = current_setting('kstar.statement_month')::date AND block = 'invoice' AND line_type = 'unallocated'
GROUP BY reason, row_key, invoice_no, statement_invoice.source, statement_invoice.invoice_id
ORDER BY abs(sum(statement_row.minor_units)) DESC, reason COLLATE "C", row_key COLLATE "C", invoice_no;

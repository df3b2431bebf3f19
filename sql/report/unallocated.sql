-- Sheet "Open items": the unallocated cost of invoices and internal charges, by reason. Attempts
-- are only counted: the sheet Jobs lists them.
WITH subject AS (
    SELECT reason, invoice_key, attempt_id, minor_units,
           CASE WHEN attempt_id IS NULL THEN row_key END AS service
    FROM statement_row
    WHERE statement_month = current_setting('kstar.statement_month')::date AND line_type = 'unallocated'
)
SELECT reason, coalesce(service, 'Jobs without cost centre: ' || count(DISTINCT attempt_id)) AS subject, invoice_no,
       coalesce(statement_invoice.source, 'internal charges') AS source, statement_invoice.invoice_id, sum(subject.minor_units)::bigint AS minor_units
FROM subject
LEFT JOIN report_invoice USING (invoice_key)
LEFT JOIN statement_invoice ON statement_invoice.invoice_key = subject.invoice_key
                           AND statement_month = current_setting('kstar.statement_month')::date
GROUP BY reason, service, invoice_no, statement_invoice.source, statement_invoice.invoice_id
ORDER BY abs(sum(subject.minor_units)) DESC, reason COLLATE "C", service COLLATE "C", invoice_no;

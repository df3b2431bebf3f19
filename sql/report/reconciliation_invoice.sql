-- Sheet "Reconciliation": the invoice's own amount compared with its lines (docs/amounts.md,
-- Invoice amounts). The difference has six places, as FOCUS's tolerance can have. If an invoice has
-- several sources or months, the lines of all of them count.
SELECT invoice_no, source, invoice_issuer_name, invoice_id, billing_currency, invoice_amount,
       coalesce(invoice_amount - invoice_difference, billed_cost) AS billed_cost,
       round(invoice_difference, 6) AS invoice_difference, invoice_tolerance,
       CASE
           WHEN invoice_amount IS NULL THEN NULL
           ELSE abs(round(invoice_difference, 6)) <= invoice_tolerance
       END AS within_tolerance,
       CASE
           WHEN invoice_amount IS NULL THEN 'not independently confirmed'
           WHEN round(invoice_difference, 6) = 0 THEN 'confirmed'
           WHEN abs(invoice_difference) <= invoice_tolerance THEN 'within tolerance: rounding line'
           ELSE 'differs beyond the tolerance'
       END AS confirmation
FROM statement_invoice
JOIN report_invoice USING (invoice_key)
WHERE statement_month = current_setting('kstar.statement_month')::date
ORDER BY invoice_no;

-- Sheet "Reconciliation": the whole amount of every invoice is charged, digit for digit
-- (docs/amounts.md, Conservation).
WITH part AS (
    SELECT invoice_key, sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
    FROM charge
    WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date)
    GROUP BY invoice_key
    UNION ALL -- a pruned month has no charges any more
    SELECT invoice_key, billed_cost, effective_cost
    FROM pruned_invoice
    WHERE statement_month = current_setting('kstar.statement_month')::date
)
SELECT invoice_no, source, invoice_issuer_name, invoice_id, billing_currency, line_count, quarantined_count,
       invoice.billed_cost, coalesce(part.billed_cost, 0) AS allocated_billed,
       invoice.billed_cost - coalesce(part.billed_cost, 0) AS billed_difference,
       invoice.effective_cost, coalesce(part.effective_cost, 0) AS allocated_effective,
       invoice.effective_cost - coalesce(part.effective_cost, 0) AS effective_difference,
       invoice.billed_cost = coalesce(part.billed_cost, 0) AND invoice.effective_cost = coalesce(part.effective_cost, 0) AS equal,
       exchange_rate, rate_date
FROM statement_invoice AS invoice
JOIN report_invoice USING (invoice_key)
LEFT JOIN part USING (invoice_key)
WHERE statement_month = current_setting('kstar.statement_month')::date
ORDER BY invoice_no;

-- Sheet "Statement": charged + unallocated + balance sheet + prepaid balance change + unexplained =
-- invoice, per invoice.
SELECT invoice_no, statement_invoice.source, statement_invoice.invoice_issuer_name, statement_invoice.invoice_id,
       billing_currency,
       coalesce(sum(report_line.minor_units) FILTER (WHERE section = 1), 0)::bigint AS charged,
       coalesce(sum(report_line.minor_units) FILTER (WHERE section = 2), 0)::bigint AS unallocated,
       coalesce(sum(report_line.minor_units) FILTER (WHERE section = 3), 0)::bigint AS balance_sheet,
       coalesce(sum(report_line.minor_units) FILTER (WHERE section = 4), 0)::bigint AS prepaid,
       coalesce(sum(report_line.minor_units) FILTER (WHERE section = 5), 0)::bigint AS unexplained,
       coalesce(sum(report_line.minor_units), 0)::bigint AS stated,
       statement_invoice.minor_units AS invoice,
       (coalesce(sum(report_line.minor_units), 0) - statement_invoice.minor_units)::bigint AS difference,
       coalesce(sum(report_line.minor_units), 0) = statement_invoice.minor_units AS proven,
       statement_invoice.billed_cost, exchange_rate, rate_date
FROM report_invoice
JOIN statement_invoice USING (invoice_key)
LEFT JOIN report_line USING (invoice_no)
WHERE statement_month = current_setting('kstar.statement_month')::date
GROUP BY invoice_no, statement_invoice.source, statement_invoice.invoice_issuer_name, statement_invoice.invoice_id,
         billing_currency, statement_invoice.minor_units, statement_invoice.billed_cost, exchange_rate, rate_date
ORDER BY invoice_no;

-- The invoices of the statement, as billed: lines, and quarantined rows whose money could be read.
INSERT INTO statement_invoice (statement_month, invoice_key, source, invoice_issuer_name, invoice_id, billing_currency,
                               exchange_rate, rate_date, line_count, quarantined_count, billed_cost, effective_cost, minor_units, invoice_amount)
SELECT statement_month, invoice_key, source, invoice_issuer_name, invoice_id, billing_currency, exchange_rate, rate_date,
       sum(line_count), sum(quarantined_count), sum(billed_cost), sum(effective_cost),
       round(sum(billed_cost) * exchange_rate * ('1e' || minor_unit_digits)::numeric), invoice_amount
FROM (SELECT invoice_key, line_count, 0 AS quarantined_count, billed_cost, effective_cost FROM line_class
      UNION ALL
      SELECT invoice_key, 0, 1, billed_cost, effective_cost FROM quarantined_row) AS billed
JOIN invoice_rate USING (invoice_key)
CROSS JOIN month
GROUP BY statement_month, invoice_key, source, invoice_issuer_name, invoice_id, billing_currency, exchange_rate, rate_date, minor_unit_digits,
         invoice_amount;

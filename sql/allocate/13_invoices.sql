-- The invoices of the statement, with issuer, exchange rate and billed cost.

-- The issuer for lines without one: that of invoices.csv, if one row alone has their invoice id and
-- currency.
CREATE TEMP TABLE sole_issuer ON COMMIT DROP AS
SELECT invoice_id, currency AS billing_currency, min(invoice_issuer_name) AS issuer
FROM invoice_amount
GROUP BY invoice_id, currency
HAVING count(*) = 1;

-- The issuer of each invoice (docs/allocation.md, Lines of a statement), in a replay the one it had
-- at the close. The exchange rate is that of the invoice's date, or of the month's last day if
-- invoices.csv has no date.
CREATE TEMP TABLE invoice_rate ON COMMIT DROP AS
WITH named AS (
    SELECT invoice.*, open_invoice, CASE WHEN min(invoice_issuer_name) OVER one_invoice = max(invoice_issuer_name) OVER one_invoice
                                         THEN min(invoice_issuer_name) OVER one_invoice END AS only_issuer
    FROM invoice
    CROSS JOIN LATERAL (SELECT CASE WHEN invoice_id IS NULL THEN source || ' ' || billing_period END) AS unnumbered (open_invoice)
    WHERE invoice_key IN (SELECT invoice_key FROM class_charge JOIN month USING (statement_month))
    WINDOW one_invoice AS (PARTITION BY source, invoice_id, open_invoice, billing_currency)
), issued AS (
    SELECT invoice_key, named.source, invoice_id, open_invoice, billing_currency,
           CASE WHEN closed.invoice_key IS NOT NULL THEN closed.invoice_issuer_name
                ELSE coalesce(named.invoice_issuer_name, only_issuer, sole_issuer.issuer) END AS invoice_issuer_name
    FROM named
    LEFT JOIN sole_issuer USING (invoice_id, billing_currency)
    LEFT JOIN (SELECT invoice_key, statement_invoice.invoice_issuer_name
               FROM kstar.statement_invoice JOIN month ON statement_invoice.statement_month = replayed_month) AS closed USING (invoice_key)
)
SELECT invoice_key, source, invoice_issuer_name, invoice_id, open_invoice, billing_currency, net_amount + tax_amount AS invoice_amount,
       rate_date, CASE WHEN billing_currency = month.statement_currency THEN 1 ELSE rate END AS exchange_rate, wanted_date, is_frozen, is_to_come
FROM issued CROSS JOIN month
LEFT JOIN (SELECT invoice_amount.*, currency AS billing_currency,
                  (invoice_id, invoice_issuer_name, currency)
                  IN (SELECT since.invoice_id, since.invoice_issuer_name, since.currency
                      FROM month CROSS JOIN LATERAL invoice_amount_since(replayed_month) AS since) AS is_since
           FROM invoice_amount) AS stated
          USING (invoice_issuer_name, invoice_id, billing_currency)
CROSS JOIN LATERAL (SELECT coalesce(invoice_date, last_day)) AS wanted (wanted_date)
LEFT JOIN LATERAL pg_temp.rate_of(billing_currency, wanted_date, invoice_date IS NOT NULL AND is_since) ON billing_currency <> month.statement_currency;

SELECT pg_temp.refuse_without_rate(billing_currency, wanted_date, 'invoice ' || coalesce(invoice_id, '(open)') || ' of ' || source)
FROM (SELECT * FROM invoice_rate WHERE exchange_rate IS NULL ORDER BY billing_currency, wanted_date LIMIT 1) AS missing;

CREATE UNIQUE INDEX ON invoice_rate (invoice_key);

-- Each invoice as billed: its lines, and its quarantined rows whose money could be read.
INSERT INTO statement_invoice (statement_month, invoice_key, source, invoice_issuer_name, invoice_id, billing_currency,
                               exchange_rate, rate_date, line_count, quarantined_count, billed_cost, effective_cost, minor_units, invoice_amount)
SELECT statement_month, invoice_key, source, invoice_issuer_name, invoice_id, billing_currency, exchange_rate, rate_date,
       sum(line_count), sum(quarantined_count), sum(billed_cost), sum(effective_cost),
       round(sum(billed_cost) * exchange_rate * ('1e' || minor_unit_digits)::numeric), invoice_amount
FROM (SELECT invoice_key, line_count, 0 AS quarantined_count, billed_cost, effective_cost FROM line_class
      UNION ALL
      SELECT invoice_key, 0, 1, billed_cost, effective_cost FROM quarantined_of_month) AS billed
JOIN invoice_rate USING (invoice_key)
CROSS JOIN month
GROUP BY statement_month, invoice_key, source, invoice_issuer_name, invoice_id, billing_currency, exchange_rate, rate_date, minor_unit_digits,
         invoice_amount;

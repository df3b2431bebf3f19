-- The amounts of invoices.csv beside what is billed (docs/amounts.md, Invoice amounts).

-- What other statements bill of the invoices in invoices.csv: an invoice may extend over several
-- months. Current loads count; of a pruned month the published amounts. Lines without an issuer
-- count if invoices.csv has one row for the id and currency.
CREATE TEMP TABLE billed_elsewhere ON COMMIT DROP AS
WITH confirmed AS (
    SELECT DISTINCT invoice_issuer_name, invoice_id, billing_currency,
           (invoice_id, billing_currency) IN (SELECT invoice_id, billing_currency FROM sole_issuer) AS is_sole
    FROM invoice_rate
    WHERE invoice_amount IS NOT NULL
), of_confirmed AS (
    SELECT invoice_key, confirmed.*
    FROM confirmed
    JOIN invoice ON invoice.invoice_id = confirmed.invoice_id AND invoice.billing_currency = confirmed.billing_currency
                AND (invoice.invoice_issuer_name = confirmed.invoice_issuer_name OR invoice.invoice_issuer_name IS NULL AND is_sole)
), other_load AS (
    SELECT load_id, load.statement_month
    FROM load
    JOIN current_load USING (load_id)
    JOIN month ON load.statement_month <> month.statement_month
    WHERE load.statement_month NOT IN (SELECT statement_month FROM pruned_month)
), other_chunk AS MATERIALIZED (
    SELECT statement_month, invoice_key, chunk_id, chunk_invoice.billing_period, chunk_invoice.billed_cost
    FROM of_confirmed
    JOIN chunk_invoice USING (invoice_key)
    JOIN load_chunk USING (chunk_id, billing_period)
    JOIN other_load USING (load_id)
), other_line AS (
    SELECT chunk_id, billing_period, invoice_key, count(*) AS line_count
    FROM (SELECT DISTINCT chunk_id, billing_period, invoice_key FROM other_chunk) AS chunk
    JOIN billing_line USING (chunk_id, billing_period, invoice_key)
    WHERE billing_line.billing_period BETWEEN (SELECT min(billing_period) FROM other_chunk) AND (SELECT max(billing_period) FROM other_chunk)
    GROUP BY chunk_id, billing_period, invoice_key
), billed_part AS (
    SELECT invoice_key, statement_month, billed_cost, line_count
    FROM other_chunk
    JOIN other_line USING (chunk_id, billing_period, invoice_key)
    UNION ALL
    SELECT invoice_key, other_load.statement_month, billed_cost, 1
    FROM quarantined_money
    JOIN other_load USING (load_id)
    WHERE is_read
)
SELECT invoice_issuer_name, invoice_id, billing_currency, max(statement_month) AS last_month,
       sum(billed_cost) AS billed_cost, sum(line_count) AS line_count
FROM (SELECT invoice_issuer_name, invoice_id, billing_currency, statement_month, billed_cost, line_count
      FROM billed_part
      JOIN of_confirmed USING (invoice_key)
      UNION ALL
      SELECT confirmed.invoice_issuer_name, invoice_id, billing_currency, statement_month, billed_cost, line_count + quarantined_count
      FROM confirmed
      JOIN statement_invoice AS published USING (invoice_id, billing_currency)
      JOIN pruned_month USING (statement_month)
      WHERE published.invoice_issuer_name = confirmed.invoice_issuer_name OR published.invoice_issuer_name IS NULL AND is_sole) AS billed
GROUP BY invoice_issuer_name, invoice_id, billing_currency;

-- The amount in invoices.csv is for all lines of the invoice, whatever their source and month.
UPDATE statement_invoice AS stated
SET invoice_difference = invoice_amount - whole.billed_cost,
    invoice_tolerance = greatest(100, round(sqrt(whole.line_count) * 0.5, 6))
                        * ('1e-' || coalesce((SELECT digits FROM currency_minor_unit WHERE currency = stated.billing_currency), 2))::numeric
FROM (SELECT statement_month, invoice_issuer_name, invoice_id, billing_currency, sum(billed_cost) AS billed_cost, sum(line_count) AS line_count
      FROM (SELECT invoice_issuer_name, invoice_id, billing_currency, billed_cost, line_count + quarantined_count AS line_count
            FROM statement_invoice JOIN month USING (statement_month)
            UNION ALL
            SELECT invoice_issuer_name, invoice_id, billing_currency, billed_cost, line_count
            FROM billed_elsewhere) AS billed
      CROSS JOIN month
      GROUP BY statement_month, invoice_issuer_name, invoice_id, billing_currency) AS whole
WHERE invoice_amount IS NOT NULL AND stated.statement_month = whole.statement_month
  AND stated.invoice_issuer_name = whole.invoice_issuer_name AND stated.invoice_id = whole.invoice_id AND stated.billing_currency = whole.billing_currency;

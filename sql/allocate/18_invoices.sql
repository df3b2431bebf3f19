-- An invoice may be over several months. Of those that invoices.csv knows: what other statements
-- bill of them, by their current loads, or of a pruned month as it was published. Lines that name
-- no issuer count where the invoice can have only one. Nothing of a replay is held against it.
CREATE TEMP TABLE billed_elsewhere ON COMMIT DROP AS
WITH confirmed AS (
    SELECT DISTINCT invoice_issuer_name, invoice_id, billing_currency,
           (invoice_id, billing_currency) IN (SELECT invoice_id, billing_currency FROM sole_issuer) AS is_sole
    FROM invoice_rate
    CROSS JOIN month
    WHERE invoice_amount IS NOT NULL AND replayed_month IS NULL
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
    WHERE billing_line.billing_period = ANY (ARRAY(SELECT billing_period FROM other_chunk))
    GROUP BY chunk_id, billing_period, invoice_key
), told AS (
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
      FROM told
      JOIN of_confirmed USING (invoice_key)
      UNION ALL
      SELECT confirmed.invoice_issuer_name, invoice_id, billing_currency, statement_month, billed_cost, line_count + quarantined_count
      FROM confirmed
      JOIN kstar.statement_invoice AS published USING (invoice_id, billing_currency)
      JOIN pruned_month USING (statement_month)
      WHERE published.invoice_issuer_name = confirmed.invoice_issuer_name OR published.invoice_issuer_name IS NULL AND is_sole) AS billed
GROUP BY invoice_issuer_name, invoice_id, billing_currency;

-- What invoices.csv says of an invoice is of all of its lines, whichever sources deliver them, and
-- in whichever month.
INSERT INTO statement_invoice (statement_month, invoice_key, source, invoice_issuer_name, invoice_id, billing_currency,
                               exchange_rate, rate_date, line_count, quarantined_count, billed_cost, effective_cost,
                               minor_units, invoice_amount, invoice_difference, invoice_tolerance)
SELECT statement_month, invoice_key, source, invoice_issuer_name, invoice_id, billing_currency, exchange_rate, rate_date,
       billed.line_count, quarantined_count, billed.billed_cost, effective_cost,
       round(billed.billed_cost * exchange_rate * ('1e' || minor_unit_digits)::numeric)::bigint,
       invoice_amount, invoice_amount - sum(billed.billed_cost) OVER whole - coalesce(elsewhere.billed_cost, 0),
       CASE WHEN invoice_amount IS NOT NULL THEN
           greatest(100, round(sqrt(sum(billed.line_count + quarantined_count) OVER whole + coalesce(elsewhere.line_count, 0)) * 0.5, 6))
               * ('1e-' || digits)::numeric END
FROM (SELECT invoice_key, sum(line_count)::bigint AS line_count, sum(quarantined_count)::bigint AS quarantined_count,
             sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
      FROM (SELECT invoice_key, line_count, 0 AS quarantined_count, billed_cost, effective_cost FROM line_class
            UNION ALL
            SELECT invoice_key, 0, 1, billed_cost, effective_cost FROM quarantined_row) AS billed
      GROUP BY invoice_key) AS billed
JOIN invoice_rate USING (invoice_key)
CROSS JOIN month
LEFT JOIN billed_elsewhere AS elsewhere USING (invoice_issuer_name, invoice_id, billing_currency)
CROSS JOIN LATERAL (SELECT coalesce((SELECT digits FROM currency_minor_unit WHERE currency = billing_currency), 2)) AS subunit (digits)
WINDOW whole AS (PARTITION BY invoice_issuer_name, invoice_id, billing_currency);

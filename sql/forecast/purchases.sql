-- How the hardware of jobs was bought in month $1: shares of provider, SKU, purchase and currency by cost centre and family.
WITH part AS (
    SELECT coalesce(job_result.cost_centre, '(unallocated)') AS cost_centre, coalesce(job_result.family, '(none)') AS family,
           coalesce(account.provider_name, statement_invoice.source) AS provider, coalesce(sku.sku_id, '') AS sku,
           CASE WHEN commitment_discount_status = 'Used' THEN 'committed'
                WHEN pricing_category = 'Dynamic'        THEN 'spot'
                ELSE 'on demand' END AS purchase,
           statement_invoice.billing_currency AS currency, line_part.effective_cost * exchange_rate AS cost
    FROM line_part
    JOIN job_result USING (statement_month, attempt_id)
    JOIN statement_invoice USING (statement_month, invoice_key)
    JOIN current_billing_line AS line USING (load_id, file_id, line_number, row_in_record)
    JOIN charge_kind USING (charge_kind_key)
    LEFT JOIN account USING (account_key)
    LEFT JOIN sku USING (sku_key)
    WHERE line_part.statement_month = $1::date AND line_part.target = 'job' AND charge_part = 'hardware' AND outcome = 'productive'
      AND line.billing_period >= $1::date AND line.billing_period < $1::date + interval '1 month'
), bought AS (
    SELECT cost_centre, family, provider, sku, purchase, currency, sum(cost) AS cost
    FROM part
    GROUP BY cost_centre, family, provider, sku, purchase, currency
)
SELECT cost_centre, family, provider, sku, purchase, currency,
       (cost / nullif(sum(cost) OVER (PARTITION BY cost_centre, family), 0))::double precision AS share
FROM bought
ORDER BY cost_centre COLLATE "C", family COLLATE "C", provider COLLATE "C", sku COLLATE "C", purchase COLLATE "C", currency COLLATE "C";

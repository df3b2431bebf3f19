-- How the hardware of jobs was bought in month $1: shares of provider, SKU, purchase and currency by cost centre and family. What they have
-- on nodes without a bill was bought of nobody: the shares leave it out and come to so much less than 1. The lines are those that its
-- statement was made of: a closed one's, whatever was delivered since.
WITH line AS (
    SELECT load_id, file_id, first_line + line_in_chunk AS line_number, row_in_record, charge_kind_key, account_key, sku_key
    FROM statement_load
    JOIN load_chunk USING (load_id)
    JOIN billing_line USING (chunk_id, billing_period)
    WHERE statement_month = $1::date
      AND billing_period >= $1::date AND billing_period < $1::date + interval '1 month' -- of which statement_month is the month
), part AS (
    SELECT coalesce(job_result.cost_centre, '(unallocated)') AS cost_centre, coalesce(job_result.family, '(none)') AS family,
           coalesce(account.provider_name, statement_invoice.source) AS provider, coalesce(sku.sku_id, '') AS sku,
           CASE WHEN commitment_discount_status = 'Used' THEN 'committed'
                WHEN pricing_category = 'Dynamic'        THEN 'spot'
                ELSE 'on demand' END AS purchase,
           statement_invoice.billing_currency AS currency, line_part.effective_cost * exchange_rate AS cost
    FROM line_part
    JOIN job_result USING (statement_month, attempt_id)
    JOIN statement_invoice USING (statement_month, invoice_key)
    JOIN line USING (load_id, file_id, line_number, row_in_record)
    JOIN charge_kind USING (charge_kind_key)
    LEFT JOIN account USING (account_key)
    LEFT JOIN sku USING (sku_key)
    WHERE line_part.statement_month = $1::date AND line_part.target = 'job' AND charge_part = 'hardware' AND outcome = 'productive'
), bought AS (
    SELECT cost_centre, family, provider, sku, purchase, currency, sum(cost) AS cost
    FROM part
    GROUP BY cost_centre, family, provider, sku, purchase, currency
), own AS (
    SELECT coalesce(cost_centre, '(unallocated)') AS cost_centre, coalesce(family, '(none)') AS family,
           sum(hardware_off_bill_minor) * ('1e-' || min(minor_unit_digits))::numeric AS own_cost
    FROM job_result JOIN statement USING (statement_month)
    WHERE statement_month = $1::date AND outcome = 'productive'
    GROUP BY coalesce(cost_centre, '(unallocated)'), coalesce(family, '(none)')
)
SELECT cost_centre, family, provider, sku, purchase, currency,
       (cost / nullif(sum(cost) OVER (PARTITION BY cost_centre, family) + own_cost, 0))::double precision AS share
FROM bought
JOIN own USING (cost_centre, family)
ORDER BY cost_centre COLLATE "C", family COLLATE "C", provider COLLATE "C", sku COLLATE "C", purchase COLLATE "C", currency COLLATE "C";

-- How the hardware of jobs was bought: shares of provider, SKU, purchase and currency by cost centre and family, each in its last month with
-- productive work of the months $1 to $2; and by family over all cost centres together (cost_centre ''). What they have on nodes without a
-- bill was bought of nobody: the shares leave it out and come to so much less than 1. The lines are those that the statements were made of:
-- a closed one's, whatever was delivered since.
WITH last_work AS (
    SELECT coalesce(cost_centre, '(unallocated)') AS cost_centre, coalesce(family, '(none)') AS family, max(statement_month) AS statement_month
    FROM job_result
    WHERE statement_month BETWEEN $1::date AND $2::date AND outcome = 'productive'
    GROUP BY coalesce(cost_centre, '(unallocated)'), coalesce(family, '(none)')
), line AS (
    SELECT load_id, file_id, first_line + line_in_chunk AS line_number, row_in_record, charge_kind_key, account_key, sku_key
    FROM statement_load
    JOIN load_chunk USING (load_id)
    JOIN billing_line USING (chunk_id, billing_period)
    WHERE statement_month BETWEEN $1::date AND $2::date
      AND billing_period >= $1::date AND billing_period < $2::date + interval '1 month' -- of which statement_month is the month
), part AS (
    SELECT statement_month, coalesce(job_result.cost_centre, '(unallocated)') AS cost_centre, coalesce(job_result.family, '(none)') AS family,
           coalesce(account.provider_name, statement_invoice.source) AS provider, coalesce(sku.sku_id, '') AS sku,
           CASE WHEN commitment_discount_status = 'Used' THEN 'committed'
                WHEN pricing_category = 'Dynamic'        THEN 'spot'
                ELSE 'on demand' END AS purchase,
           statement_invoice.billing_currency AS currency, line_part.effective_cost * exchange_rate AS cost
    FROM line_part
    JOIN job_result USING (statement_month, attempt_id)
    JOIN statement_invoice USING (statement_month, invoice_key)
    JOIN line USING (load_id, file_id, line_number, row_in_record) -- a load is of one month
    JOIN charge_kind USING (charge_kind_key)
    LEFT JOIN account USING (account_key)
    LEFT JOIN sku USING (sku_key)
    WHERE line_part.statement_month BETWEEN $1::date AND $2::date AND line_part.target = 'job' AND charge_part = 'hardware'
      AND outcome = 'productive'
), bought AS (
    SELECT cost_centre, family, provider, sku, purchase, currency, sum(cost) AS cost
    FROM part JOIN last_work USING (statement_month, cost_centre, family)
    GROUP BY cost_centre, family, provider, sku, purchase, currency
), own AS (
    SELECT cost_centre, family, sum(hardware_off_bill_minor * ('1e-' || minor_unit_digits)::numeric) AS own_cost
    FROM (SELECT statement_month, coalesce(cost_centre, '(unallocated)') AS cost_centre, coalesce(family, '(none)') AS family,
                 hardware_off_bill_minor
          FROM job_result
          WHERE statement_month BETWEEN $1::date AND $2::date AND outcome = 'productive') AS result
    JOIN last_work USING (statement_month, cost_centre, family)
    JOIN statement USING (statement_month)
    GROUP BY cost_centre, family
), bought_by AS (
    SELECT cost_centre, family, provider, sku, purchase, currency, cost FROM bought
    UNION ALL
    SELECT '', family, provider, sku, purchase, currency, sum(cost) FROM bought GROUP BY family, provider, sku, purchase, currency
), own_by AS (
    SELECT cost_centre, family, own_cost FROM own
    UNION ALL
    SELECT '', family, sum(own_cost) FROM own GROUP BY family
)
SELECT cost_centre, family, provider, sku, purchase, currency,
       (cost / nullif(sum(cost) OVER (PARTITION BY cost_centre, family) + own_cost, 0))::double precision AS share
FROM bought_by
JOIN own_by USING (cost_centre, family)
ORDER BY cost_centre COLLATE "C", family COLLATE "C", provider COLLATE "C", sku COLLATE "C", purchase COLLATE "C", currency COLLATE "C";

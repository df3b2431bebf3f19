-- How the hardware of jobs was bought, by cost centre and family: provider, SKU, purchase, currency
-- and commitment. `share` is of the hardware in the last month with productive work, between the
-- months $1 and $2. Cost centre '' is all cost centres together. Nodes without a bill are own nodes
-- and have no provider. `committed` is what committed and own hardware cost in month $2, with
-- failed and cancelled runs, in statement currency. The lines are those behind the published
-- statements: later deliveries change nothing for a closed month.
WITH last_work AS (
    SELECT coalesce(cost_centre, '(unallocated)') AS cost_centre, coalesce(family, '(none)') AS family, max(statement_month) AS last_month
    FROM job_result
    WHERE statement_month BETWEEN $1::date AND $2::date AND outcome = 'productive'
    GROUP BY coalesce(cost_centre, '(unallocated)'), coalesce(family, '(none)')
), part AS (
    SELECT statement_month, coalesce(cost_centre, '(unallocated)') AS cost_centre, coalesce(family, '(none)') AS family, outcome,
           coalesce(provider_name, statement_invoice.source) AS provider, coalesce(sku_id, '') AS sku,
           CASE WHEN is_committed                THEN 'committed'
                WHEN pricing_category = 'Dynamic' THEN 'spot'
                ELSE 'on demand' END AS purchase,
           statement_invoice.billing_currency AS currency,
           CASE WHEN is_committed THEN coalesce(commitment_discount_id, capacity_reservation_id, '') END AS commitment,
           class_charge.effective_cost * exchange_rate AS cost
    FROM class_charge
    JOIN statement_invoice USING (statement_month, invoice_key)
    JOIN charge_kind USING (charge_kind_key)
    LEFT JOIN commitment USING (commitment_key)
    CROSS JOIN LATERAL (SELECT pricing_category IS NOT DISTINCT FROM 'Committed' OR commitment_discount_id IS NOT NULL
                               OR capacity_reservation_id IS NOT NULL AS is_committed) AS kind
    WHERE class_charge.statement_month BETWEEN $1::date AND $2::date AND target = 'job' AND charge_part = 'hardware'
    UNION ALL
    SELECT statement_month, coalesce(cost_centre, '(unallocated)'), coalesce(family, '(none)'), outcome, NULL, NULL, 'owned', NULL, NULL,
           minor_units * ('1e-' || minor_unit_digits)::numeric
    FROM job_result
    JOIN (SELECT statement_month, attempt_id, minor_units
          FROM statement_row
          WHERE statement_month BETWEEN $1::date AND $2::date AND block = 'internal' AND internal_charge(component) = 'internal_hardware')
         AS own USING (statement_month, attempt_id)
    JOIN statement USING (statement_month)
), bought AS (
    SELECT cost_centre, family, provider, sku, purchase, currency, commitment,
           coalesce(sum(cost) FILTER (WHERE statement_month = last_month AND outcome = 'productive'), 0)                   AS cost,
           coalesce(sum(cost) FILTER (WHERE statement_month = $2::date AND purchase IN ('committed', 'owned')), 0) AS committed
    FROM part JOIN last_work USING (cost_centre, family)
    GROUP BY cost_centre, family, provider, sku, purchase, currency, commitment
), bought_by AS (
    SELECT * FROM bought
    UNION ALL
    SELECT '', family, provider, sku, purchase, currency, commitment, sum(cost), 0
    FROM bought
    GROUP BY family, provider, sku, purchase, currency, commitment
), share AS (
    SELECT bought_by.*, cost / nullif(sum(cost) OVER (PARTITION BY cost_centre, family), 0) AS share
    FROM bought_by
)
SELECT cost_centre, family, provider, sku, purchase, currency, commitment, coalesce(share, 0)::double precision AS share,
       committed::double precision, ends_on,
       (extract(year FROM ends_on) * 12 + extract(month FROM ends_on) - 1
        + (extract(day FROM ends_on) - 1) / extract(day FROM date_trunc('month', ends_on) + interval '1 month' - interval '1 day'))::double precision
           AS ends
FROM share
LEFT JOIN LATERAL ( -- the most specific row
    SELECT ends_on
    FROM commitment_end AS declared
    WHERE purchase IN ('committed', 'owned')
      AND declared.commitment IN ('', share.commitment)
      AND declared.sku IN ('', share.sku)
      AND (declared.provider = coalesce(share.provider, 'own nodes') OR declared.provider = '' AND share.provider IS NOT NULL)
    ORDER BY declared.commitment = '', declared.sku = '', declared.provider = ''
    LIMIT 1) AS commitment_end ON true
WHERE share <> 0 OR committed <> 0
ORDER BY cost_centre COLLATE "C", family COLLATE "C", provider COLLATE "C" NULLS LAST, sku COLLATE "C", purchase COLLATE "C",
         currency COLLATE "C", commitment COLLATE "C";

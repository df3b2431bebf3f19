-- Tax (docs/amounts.md, Tax): first the recoverable part, then the rest by what the same invoice bills to whom,
-- whichever sources deliver it: by its charges, or where it gives back more than it charges, and tax as well (a credit note), by what it
-- gives back.
CREATE TEMP TABLE tax_amount ON COMMIT DROP AS
SELECT row_number() OVER (ORDER BY invoice_key) AS request_id, invoice_key, taxed.billed_cost, taxed.effective_cost,
       invoice_rate.source, invoice_rate.invoice_issuer_name, invoice_rate.invoice_id, billing_currency,
       coalesce(recoverable_share, 0) AS recoverable_share, gl_account, prepaid_gl_account,
       taxed.billed_cost * coalesce(recoverable_share, 0)    AS recoverable_billed_cost,
       taxed.effective_cost * coalesce(recoverable_share, 0) AS recoverable_effective_cost
FROM (SELECT invoice_key, sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
      FROM class_charge JOIN month USING (statement_month)
      WHERE target = 'tax'
      GROUP BY invoice_key) AS taxed
JOIN invoice_rate USING (invoice_key)
LEFT JOIN LATERAL (
    SELECT recoverable_share, gl_account, prepaid_gl_account
    FROM tax_rule CROSS JOIN month
    WHERE coalesce(invoice_rate.invoice_issuer_name, '') LIKE glob_to_like(tax_rule.invoice_issuer_name)
      AND valid_from <= last_day AND last_day < valid_to
    ORDER BY tax_rule.invoice_issuer_name COLLATE "C" DESC LIMIT 1
) AS rule ON true;

-- What a tax may follow: its invoice, all sources of it together, or all that its source has of the issuer.
CREATE TEMP TABLE taxed_group ON COMMIT DROP AS
SELECT invoice_key, 'invoice' AS scope,
       min(invoice_key) OVER (PARTITION BY invoice_issuer_name, invoice_id, open_invoice, billing_currency) AS group_key
FROM invoice_rate
WHERE EXISTS (SELECT FROM tax_amount)
UNION ALL
SELECT invoice_key, 'source', min(invoice_key) OVER (PARTITION BY source, invoice_issuer_name, billing_currency)
FROM invoice_rate
WHERE EXISTS (SELECT FROM tax_amount);

-- Of each commitment that was bought in the month: where its lines are, purchases apart.
CREATE TEMP TABLE bought_place ON COMMIT DROP AS
WITH bought AS (
    SELECT DISTINCT commitment_discount_id
    FROM line_class
    WHERE charge_category = 'Purchase' AND commitment_discount_id IS NOT NULL
), part AS (
    SELECT invoice_key, commitment_discount_id, target = 'prepaid' AS is_purchase, pool, closed_month, cost_centre, billed_cost, effective_cost
    FROM class_charge
    JOIN month USING (statement_month)
    JOIN commitment USING (commitment_key)
    JOIN bought USING (commitment_discount_id)
    WHERE target <> 'tax'
    UNION ALL
    SELECT invoice_key, commitment_discount_id, false, NULL, NULL, NULL, billed_cost, effective_cost
    FROM quarantined_row
    JOIN bought USING (commitment_discount_id)
)
SELECT scope, group_key, commitment_discount_id, is_purchase, part.pool, split.closed_month, cost_centre,
       sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
FROM part
JOIN taxed_group USING (invoice_key)
LEFT JOIN (SELECT DISTINCT closed_month, pool FROM closed_pool_weight) AS split
       ON split.closed_month = part.closed_month AND split.pool = part.pool
GROUP BY scope, group_key, commitment_discount_id, is_purchase, part.pool, split.closed_month, cost_centre;

-- What purchases weigh: on *prepaid* so far as the commitment's lines do not use it, else where these lines are, by their effective cost.
CREATE TEMP TABLE purchase_weight ON COMMIT DROP AS
WITH bought AS (
    SELECT scope, group_key, commitment_discount_id, purchased,
           CASE WHEN used > 0
                THEN least(purchased, greatest(purchased + used_billed - used, 0)) ELSE purchased END AS prepaid
    FROM (SELECT scope, group_key, commitment_discount_id,
                 sum(billed_cost) FILTER (WHERE is_purchase)        AS purchased,
                 sum(billed_cost) FILTER (WHERE NOT is_purchase)    AS used_billed,
                 sum(effective_cost) FILTER (WHERE NOT is_purchase) AS used
          FROM bought_place
          GROUP BY scope, group_key, commitment_discount_id) AS told
    WHERE purchased IS NOT NULL
), place AS (
    SELECT scope, group_key, commitment_discount_id, pool, closed_month, cost_centre, effective_cost,
           sum(effective_cost) OVER (PARTITION BY scope, group_key, commitment_discount_id) AS whole
    FROM bought_place
    WHERE NOT is_purchase AND effective_cost > 0
), pool_share AS (
    SELECT pool, closed_month, coalesce(weighed.cost_centre, attempt_cost_centre.cost_centre) AS cost_centre,
           sum(weight) AS weight, sum(sum(weight)) OVER (PARTITION BY pool, closed_month) AS whole
    FROM pool_weight_of_month AS weighed
    LEFT JOIN attempt_cost_centre USING (attempt_id)
    GROUP BY pool, closed_month, coalesce(weighed.cost_centre, attempt_cost_centre.cost_centre)
)
SELECT scope, group_key, NULL::text AS cost_centre, true AS is_prepaid, prepaid AS weight
FROM bought
UNION ALL
SELECT scope, group_key, coalesce(place.cost_centre, pool_share.cost_centre), false,
       round((purchased - prepaid) * 1.000000000000000000000000 * place.effective_cost * coalesce(pool_share.weight, 1)
             / (place.whole * coalesce(pool_share.whole, 1)), 12)
FROM bought
JOIN place USING (scope, group_key, commitment_discount_id)
LEFT JOIN pool_share ON pool_share.pool = place.pool AND pool_share.closed_month IS NOT DISTINCT FROM place.closed_month;

CREATE TEMP TABLE tax_weight ON COMMIT DROP AS
WITH billed AS (
    SELECT invoice_key, cost_centre, billed_cost
    FROM class_charge
    JOIN month USING (statement_month)
    WHERE target NOT IN ('tax', 'pool', 'prepaid')
    UNION ALL
    SELECT invoice_key, coalesce(shared_part.cost_centre, attempt_cost_centre.cost_centre), billed_cost
    FROM shared_part
    JOIN month USING (statement_month)
    LEFT JOIN attempt_cost_centre USING (attempt_id)
), per_invoice AS (
    SELECT invoice_key, cost_centre, sum(billed_cost) AS weight
    FROM billed GROUP BY invoice_key, cost_centre
), per_group AS (
    SELECT scope, group_key, cost_centre, is_prepaid, sum(weight) AS weight
    FROM (SELECT scope, group_key, cost_centre, false AS is_prepaid, weight FROM per_invoice JOIN taxed_group USING (invoice_key)
          UNION ALL
          SELECT scope, group_key, cost_centre, is_prepaid, weight FROM purchase_weight) AS told
    GROUP BY scope, group_key, cost_centre, is_prepaid
), own AS (
    SELECT request_id, cost_centre, is_prepaid,
           weight * CASE WHEN greatest(billed_cost, sum(weight) OVER (PARTITION BY request_id)) < 0 THEN -1 ELSE 1 END AS weight
    FROM tax_amount
    JOIN taxed_group USING (invoice_key)
    JOIN per_group USING (scope, group_key)
    WHERE scope = 'invoice'
), published AS (
    -- the invoice's lines stand in an earlier statement, and its tax comes by itself; to a replay, in one that was closed by then
    SELECT request_id, taxed.statement_month, taxed.invoice_key, taxed.billed_cost, exchange_rate
    FROM tax_amount
    CROSS JOIN month
    JOIN kstar.statement_invoice AS taxed ON taxed.statement_month < month.statement_month
                                         AND taxed.invoice_id = tax_amount.invoice_id AND taxed.billing_currency = tax_amount.billing_currency
                                         AND (taxed.invoice_issuer_name = tax_amount.invoice_issuer_name
                                              OR taxed.source = tax_amount.source
                                                 AND (taxed.invoice_issuer_name IS NULL OR tax_amount.invoice_issuer_name IS NULL))
    WHERE request_id NOT IN (SELECT request_id FROM own WHERE weight > 0)
      AND (replayed_month IS NULL OR taxed.statement_month IN (SELECT statement_month FROM closed_month))
), published_row AS (
    SELECT request_id, line_type, component, row.cost_centre, row.billed_cost, effective_cost, amount / exchange_rate AS moved
    FROM published
    JOIN kstar.statement_row AS row USING (statement_month, invoice_key)
), published_charge AS (
    SELECT request_id, cost_centre, sum(billed_cost) AS billed_cost, greatest(sum(effective_cost - billed_cost), 0) AS used,
           sum(greatest(sum(effective_cost - billed_cost), 0)) OVER (PARTITION BY request_id) AS whole
    FROM published_row
    WHERE line_type IN ('charge', 'unallocated') AND component IS DISTINCT FROM 'tax'
    GROUP BY request_id, cost_centre
), published_purchase AS (
    -- what is bought has no row: it is what they leave of the invoice (21_prove.sql), also where its lines were pruned
    SELECT request_id, purchased,
           CASE WHEN request_id IN (SELECT request_id FROM published_charge WHERE used > 0)
                THEN least(purchased, moved) ELSE purchased END AS prepaid
    FROM (SELECT request_id, sum(billed_cost) AS purchased, sum(moved) AS moved
          FROM (SELECT request_id, billed_cost, 0 AS moved FROM published
                UNION ALL
                SELECT request_id, -billed_cost, CASE line_type WHEN 'prepaid' THEN greatest(round(moved, 12), 0) ELSE 0 END
                FROM published_row) AS told
          GROUP BY request_id) AS whole
), earlier AS (
    SELECT request_id, cost_centre, is_prepaid,
           weight * CASE WHEN greatest(billed_cost, sum(weight) OVER (PARTITION BY request_id)) < 0 THEN -1 ELSE 1 END AS weight
    FROM (SELECT request_id, cost_centre, false AS is_prepaid,
                 published_charge.billed_cost
                     + CASE WHEN used > 0 THEN round((purchased - prepaid) * 1.000000000000000000000000 * used / whole, 12) ELSE 0 END AS weight
          FROM published_charge
          JOIN published_purchase USING (request_id)
          UNION ALL
          SELECT request_id, NULL, true, prepaid FROM published_purchase) AS told
    JOIN tax_amount USING (request_id)
), neighbours AS (
    SELECT request_id, cost_centre, is_prepaid, weight
    FROM tax_amount
    JOIN taxed_group USING (invoice_key)
    JOIN per_group USING (scope, group_key)
    WHERE scope = 'source'
      AND request_id NOT IN (SELECT request_id FROM own WHERE weight > 0 UNION ALL SELECT request_id FROM earlier WHERE weight > 0)
), weighed AS (
    SELECT * FROM (SELECT * FROM own UNION ALL SELECT * FROM earlier UNION ALL SELECT * FROM neighbours) AS told WHERE weight > 0
), with_untaxed AS (
    SELECT request_id, cost_centre, is_prepaid, weight, false AS is_untaxed FROM weighed
    UNION ALL
    SELECT request_id, NULL, false, 1, true FROM tax_amount WHERE request_id NOT IN (SELECT request_id FROM weighed)
)
SELECT with_untaxed.*,
       row_number() OVER (PARTITION BY request_id
                          ORDER BY cost_centre COLLATE "C" NULLS LAST, is_prepaid DESC)::integer AS part
FROM with_untaxed;

-- The parts. Part 0 is the recoverable one.
INSERT INTO shared_part (statement_month, invoice_key, shared_kind, pool, part, target, cost_centre, gl_account, reason,
                         weight, billed_cost, effective_cost)
SELECT statement_month, invoice_key, 'tax', 'tax', 0, 'balance sheet', NULL, gl_account, NULL,
       recoverable_share, recoverable_billed_cost, recoverable_effective_cost
FROM tax_amount CROSS JOIN month
WHERE recoverable_share > 0
UNION ALL
SELECT statement_month, invoice_key, 'tax', 'tax', part,
       CASE WHEN cost_centre IS NOT NULL THEN 'cost centre'
            WHEN is_prepaid AND prepaid_gl_account IS NOT NULL THEN 'balance sheet'
            ELSE 'unallocated' END,
       cost_centre,
       CASE WHEN is_prepaid THEN prepaid_gl_account END,
       CASE WHEN cost_centre IS NOT NULL OR (is_prepaid AND prepaid_gl_account IS NOT NULL) THEN NULL
            WHEN is_prepaid THEN 'tax on a prepayment'
            WHEN is_untaxed THEN 'tax without taxed lines'
            ELSE 'tax on unallocated cost' END,
       weight, split.billed_cost, split.effective_cost
FROM tax_amount
JOIN (SELECT request_id, array_agg(weight ORDER BY part) AS weights FROM tax_weight GROUP BY request_id) AS weighed USING (request_id)
CROSS JOIN LATERAL unnest(split_parts(billed_cost - recoverable_billed_cost, weights),
                          split_parts(effective_cost - recoverable_effective_cost, weights)) WITH ORDINALITY AS split (billed_cost, effective_cost, part)
JOIN tax_weight USING (request_id, part)
CROSS JOIN month;

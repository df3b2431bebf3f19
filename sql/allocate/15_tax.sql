-- Tax (docs/amounts.md, Tax). The recoverable part goes to the balance sheet. The rest is split by
-- what the same invoice bills to whom, whichever sources deliver the invoice.
CREATE TEMP TABLE tax_amount ON COMMIT DROP AS
SELECT invoice_key, taxed.billed_cost, taxed.effective_cost,
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

-- The groups of invoices whose lines may give a tax its weights. Turn 1: all sources of the same
-- invoice. Turn 3: all invoices of the issuer from the same source. Turns 2 and 4 are below.
CREATE TEMP TABLE taxed_group ON COMMIT DROP AS
SELECT turn, invoice_key, group_key
FROM (SELECT invoice_key,
             min(invoice_key) OVER (PARTITION BY invoice_issuer_name, invoice_id, open_invoice, billing_currency) AS of_invoice,
             min(invoice_key) OVER (PARTITION BY source, invoice_issuer_name, billing_currency) AS of_source
      FROM invoice_rate
      WHERE EXISTS (SELECT FROM tax_amount)) AS grouped
CROSS JOIN LATERAL (VALUES (1, of_invoice), (3, of_source)) AS taxed (turn, group_key);

-- The weights of purchased commitments (docs/amounts.md, Purchases of a commitment). As far as the
-- commitment was not used, the purchase weighs as a prepayment. The rest weighs where the lines are
-- that used it, by effective cost; in pools by the weights of those who share them. `direction` is
-- -1 for a fee that is refunded: the refund is weighed as the fee was, with the other sign.
CREATE TEMP TABLE purchase_weight ON COMMIT DROP AS
WITH part AS (
    SELECT invoice_key, commitment_discount_id, target = 'prepaid' AS is_purchase, pool, closed_month, cost_centre, billed_cost, effective_cost
    FROM class_charge JOIN month USING (statement_month)
    JOIN commitment USING (commitment_key)
    WHERE target <> 'tax'
    UNION ALL
    SELECT invoice_key, commitment_discount_id, false, NULL, NULL, NULL, billed_cost, effective_cost
    FROM quarantined_of_month
    WHERE commitment_discount_id IS NOT NULL
), place AS (
    SELECT turn, group_key, commitment_discount_id, is_purchase, pool, closed_month, cost_centre,
           sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
    FROM part
    JOIN taxed_group USING (invoice_key)
    GROUP BY turn, group_key, commitment_discount_id, is_purchase, pool, closed_month, cost_centre
), bought AS (
    SELECT turn, group_key, commitment_discount_id, purchased, direction,
           CASE WHEN used * direction > 0
                THEN direction * least(purchased * direction, greatest((purchased + used_billed - used) * direction, 0))
                ELSE purchased END AS prepaid
    FROM (SELECT turn, group_key, commitment_discount_id,
                 sum(billed_cost) FILTER (WHERE is_purchase)                                   AS purchased,
                 sum(billed_cost) FILTER (WHERE NOT is_purchase)                               AS used_billed,
                 sum(effective_cost) FILTER (WHERE NOT is_purchase)                            AS used,
                 CASE WHEN sum(billed_cost) FILTER (WHERE is_purchase) < 0 THEN -1 ELSE 1 END AS direction
          FROM place
          GROUP BY turn, group_key, commitment_discount_id) AS summed
    WHERE purchased IS NOT NULL
), used AS (
    SELECT turn, group_key, commitment_discount_id, pool, closed_month, cost_centre, purchased, prepaid, effective_cost,
           sum(effective_cost) OVER (PARTITION BY turn, group_key, commitment_discount_id) AS whole
    FROM place
    JOIN bought USING (turn, group_key, commitment_discount_id)
    WHERE NOT is_purchase AND effective_cost * direction > 0
), pool_share AS (
    SELECT pool, closed_month, coalesce(weighed.cost_centre, attempt_cost_centre.cost_centre) AS cost_centre,
           sum(weight) AS weight, sum(sum(weight)) OVER (PARTITION BY pool, closed_month) AS whole
    FROM pool_weight_of_month AS weighed
    LEFT JOIN attempt_cost_centre USING (attempt_id)
    WHERE pool IN (SELECT pool FROM used)
    GROUP BY pool, closed_month, coalesce(weighed.cost_centre, attempt_cost_centre.cost_centre)
)
SELECT turn, group_key, NULL::text AS cost_centre, true AS is_prepaid, prepaid AS weight
FROM bought
UNION ALL
SELECT turn, group_key, coalesce(used.cost_centre, pool_share.cost_centre), false,
       round((purchased - prepaid) * 1.000000000000000000000000 * used.effective_cost * coalesce(pool_share.weight, 1)
             / (used.whole * coalesce(pool_share.whole, 1)), 12)
FROM used
LEFT JOIN pool_share ON pool_share.pool = used.pool AND pool_share.closed_month IS NOT DISTINCT FROM used.closed_month;

-- What each group bills to whom, purchases included.
CREATE TEMP TABLE group_weight ON COMMIT DROP AS
SELECT turn, group_key, cost_centre, is_prepaid, sum(weight) AS weight
FROM (SELECT turn, group_key, cost_centre, is_prepaid, weight
      FROM purchase_weight
      UNION ALL
      SELECT turn, group_key, cost_centre, false, billed_cost
      FROM class_charge JOIN month USING (statement_month)
      JOIN taxed_group USING (invoice_key)
      WHERE target NOT IN ('tax', 'pool', 'prepaid')
      UNION ALL
      SELECT turn, group_key, coalesce(shared_part.cost_centre, attempt_cost_centre.cost_centre), false, billed_cost
      FROM shared_part JOIN month USING (statement_month)
      JOIN taxed_group USING (invoice_key)
      LEFT JOIN attempt_cost_centre USING (attempt_id)) AS weighed
GROUP BY turn, group_key, cost_centre, is_prepaid;

-- The weights by which a tax is split: those of the first turn that has a weight above 0. Turn 2 is
-- the same invoice in an earlier statement. Turn 4 is nobody: the tax is unallocated.
CREATE TEMP TABLE tax_weight ON COMMIT DROP AS
WITH published AS (
    -- an earlier statement has the invoice's lines, and this one only its tax; a replay looks only
    -- at months that were closed by then
    SELECT tax_amount.invoice_key, taxed.statement_month, taxed.invoice_key AS published_key, taxed.billed_cost, exchange_rate
    FROM tax_amount CROSS JOIN month
    JOIN kstar.statement_invoice AS taxed ON taxed.statement_month < month.statement_month
                                         AND taxed.invoice_id = tax_amount.invoice_id AND taxed.billing_currency = tax_amount.billing_currency
                                         AND (taxed.invoice_issuer_name = tax_amount.invoice_issuer_name
                                              OR taxed.source = tax_amount.source
                                                 AND (taxed.invoice_issuer_name IS NULL OR tax_amount.invoice_issuer_name IS NULL))
    WHERE replayed_month IS NULL OR taxed.statement_month IN (SELECT statement_month FROM closed_month)
), published_row AS (
    SELECT published.invoice_key, line_type, component, row.cost_centre, row.billed_cost, effective_cost, amount / exchange_rate AS moved
    FROM published
    JOIN kstar.statement_sum AS row ON row.statement_month = published.statement_month AND row.invoice_key = published_key
), published_fee AS (
    -- The published rows do not contain the fee: it is the invoice less its rows (20_prove.sql). So
    -- this works after kstar prune, too.
    SELECT invoice_key, sum(billed_cost) AS purchased, CASE WHEN sum(billed_cost) < 0 THEN -1 ELSE 1 END AS direction
    FROM (SELECT invoice_key, billed_cost FROM published
          UNION ALL
          SELECT invoice_key, -billed_cost FROM published_row) AS fee_part
    GROUP BY invoice_key
), published_charge AS (
    SELECT invoice_key, cost_centre, sum(billed_cost) AS billed_cost, greatest(sum(effective_cost - billed_cost) * direction, 0) AS used,
           sum(greatest(sum(effective_cost - billed_cost) * direction, 0)) OVER (PARTITION BY invoice_key) AS whole
    FROM published_row
    JOIN published_fee USING (invoice_key)
    WHERE line_type IN ('charge', 'unallocated') AND component IS DISTINCT FROM 'tax'
    GROUP BY invoice_key, cost_centre, direction
), published_purchase AS (
    SELECT invoice_key, purchased,
           CASE WHEN invoice_key IN (SELECT invoice_key FROM published_charge WHERE used > 0)
                THEN direction * least(purchased * direction, coalesce(moved, 0)) ELSE purchased END AS prepaid
    FROM published_fee
    LEFT JOIN (SELECT invoice_key, sum(greatest(round(moved * direction, 12), 0)) AS moved
               FROM published_row JOIN published_fee USING (invoice_key)
               WHERE line_type = 'prepaid'
               GROUP BY invoice_key) AS prepaid_row USING (invoice_key)
), candidate AS (
    SELECT turn, tax_amount.invoice_key, cost_centre, is_prepaid, weight
    FROM tax_amount
    JOIN taxed_group USING (invoice_key)
    JOIN group_weight USING (turn, group_key)
    UNION ALL
    SELECT 2, invoice_key, cost_centre, false,
           billed_cost + CASE WHEN used > 0 THEN round((purchased - prepaid) * 1.000000000000000000000000 * used / whole, 12) ELSE 0 END
    FROM published_charge
    JOIN published_purchase USING (invoice_key)
    UNION ALL
    SELECT 2, invoice_key, NULL, true, prepaid FROM published_purchase
    UNION ALL
    SELECT 4, invoice_key, NULL, false, 1 FROM tax_amount
), signed AS (
    SELECT turn, invoice_key, cost_centre, is_prepaid,
           weight * CASE WHEN turn < 3 AND greatest(billed_cost, sum(weight) OVER (PARTITION BY invoice_key, turn)) < 0 THEN -1 ELSE 1 END AS weight
    FROM candidate
    JOIN tax_amount USING (invoice_key)
), ranked AS (
    SELECT signed.*, min(turn) OVER (PARTITION BY invoice_key) AS first_turn FROM signed WHERE weight > 0
)
SELECT invoice_key, cost_centre, is_prepaid, weight, turn = 4 AS is_untaxed,
       row_number() OVER (PARTITION BY invoice_key ORDER BY cost_centre COLLATE "C" NULLS LAST, is_prepaid DESC)::integer AS part
FROM ranked
WHERE turn = first_turn;

-- The parts of each tax. Part 0 is the recoverable part.
INSERT INTO shared_part (statement_month, invoice_key, shared_kind, pool, part, target, cost_centre, gl_account, reason,
                         weight, billed_cost, effective_cost)
SELECT statement_month, invoice_key, 'tax', 'tax', 0, 'balance sheet', NULL, gl_account, NULL,
       recoverable_share, recoverable_billed_cost, recoverable_effective_cost
FROM tax_amount CROSS JOIN month
WHERE recoverable_share > 0
UNION ALL
SELECT statement_month, invoice_key, 'tax', 'tax', part,
       CASE WHEN cost_centre IS NOT NULL THEN 'cost centre' WHEN prepaid_account IS NOT NULL THEN 'balance sheet' ELSE 'unallocated' END,
       cost_centre, prepaid_account,
       CASE WHEN cost_centre IS NOT NULL OR prepaid_account IS NOT NULL THEN NULL
            WHEN is_prepaid THEN 'tax on a prepayment'
            WHEN is_untaxed THEN 'tax without taxed lines'
            ELSE 'tax on unallocated cost' END,
       weight, split.billed_cost, split.effective_cost
FROM tax_amount
JOIN (SELECT invoice_key, array_agg(weight ORDER BY part) AS weights FROM tax_weight GROUP BY invoice_key) AS weighed USING (invoice_key)
CROSS JOIN LATERAL unnest(split_parts(billed_cost - recoverable_billed_cost, weights),
                          split_parts(effective_cost - recoverable_effective_cost, weights)) WITH ORDINALITY AS split (billed_cost, effective_cost, part)
JOIN tax_weight USING (invoice_key, part)
CROSS JOIN LATERAL (SELECT CASE WHEN is_prepaid THEN prepaid_gl_account END) AS booked (prepaid_account)
CROSS JOIN month;

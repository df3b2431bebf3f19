-- The parts of pools, after split.sql.
INSERT INTO shared_part (statement_month, invoice_key, shared_kind, pool, closed_month, part, component, target, attempt_id,
                         cost_centre, reason, weight, billed_cost, effective_cost)
SELECT statement_month, invoice_key, 'pool', pool, pool_amount.closed_month, part, component, target, attempt_id,
       cost_centre, reason, weight, split_result.billed_cost, split_result.effective_cost
FROM split_result
JOIN pool_amount USING (request_id)
JOIN pool_weight_of_month USING (pool, part)
CROSS JOIN month
WHERE pool_amount.closed_month IS NOT DISTINCT FROM pool_weight_of_month.closed_month;

-- A pool that no row of pools.csv describes on the month's last day has neither split nor owner.
INSERT INTO shared_part (statement_month, invoice_key, shared_kind, pool, part, target, reason, weight,
                         billed_cost, effective_cost)
SELECT statement_month, invoice_key, 'pool', pool, 1, 'unallocated', 'pool not valid in the month', 1,
       billed_cost, effective_cost
FROM pool_amount
CROSS JOIN month
WHERE closed_month IS NULL AND pool NOT IN (SELECT pool FROM pool_of_month);

-- Tax (design 3.4): first the recoverable part, then the rest by what the same invoice bills to whom, whichever sources deliver it:
-- by its charges, or where it gives back more than it charges, and tax as well (a credit note), by what it gives back.
CREATE TEMP TABLE tax_amount ON COMMIT DROP AS
SELECT row_number() OVER (ORDER BY invoice_key) AS request_id, invoice_key, taxed.billed_cost, taxed.effective_cost,
       invoice_rate.source, invoice_rate.invoice_issuer_name, invoice_rate.invoice_id, billing_currency,
       coalesce(recoverable_share, 0) AS recoverable_share, gl_account, prepaid_gl_account,
       taxed.billed_cost * coalesce(recoverable_share, 0)    AS recoverable_billed_cost,
       taxed.effective_cost * coalesce(recoverable_share, 0) AS recoverable_effective_cost
FROM (SELECT invoice_key, sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
      FROM line_part JOIN month USING (statement_month)
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

CREATE TEMP TABLE tax_weight ON COMMIT DROP AS
WITH base AS (
    SELECT invoice_key, CASE target WHEN 'job' THEN attempt_cost_centre.cost_centre ELSE line_part.cost_centre END AS cost_centre,
           target = 'prepaid' AS is_prepaid, billed_cost
    FROM line_part
    JOIN month USING (statement_month)
    LEFT JOIN attempt_cost_centre USING (attempt_id)
    WHERE target NOT IN ('tax', 'pool')
    UNION ALL
    SELECT invoice_key, coalesce(shared_part.cost_centre, attempt_cost_centre.cost_centre), false, billed_cost
    FROM shared_part
    JOIN month USING (statement_month)
    LEFT JOIN attempt_cost_centre USING (attempt_id)
), per_invoice AS (
    SELECT invoice_key, cost_centre, is_prepaid, sum(billed_cost) AS weight
    FROM base GROUP BY invoice_key, cost_centre, is_prepaid
), invoice_of_key AS (
    SELECT invoice_key, CASE WHEN invoice_id IS NULL THEN invoice_key
                             ELSE min(invoice_key) OVER (PARTITION BY invoice_issuer_name, invoice_id, billing_currency) END AS first_key
    FROM invoice_rate
), own AS (
    SELECT request_id, cost_centre, is_prepaid,
           sum(weight) * CASE WHEN greatest(tax_amount.billed_cost, sum(sum(weight)) OVER request) < 0 THEN -1 ELSE 1 END AS weight
    FROM tax_amount
    JOIN invoice_of_key USING (invoice_key)
    JOIN (SELECT first_key, per_invoice.* FROM per_invoice JOIN invoice_of_key USING (invoice_key)) AS lines USING (first_key)
    GROUP BY request_id, tax_amount.billed_cost, cost_centre, is_prepaid
    WINDOW request AS (PARTITION BY request_id)
), earlier AS (
    -- the invoice's lines stand in an earlier statement, and its tax comes by itself; to a replay, in one that was closed by then
    SELECT request_id, lines.cost_centre, is_prepaid,
           sum(lines.billed_cost)
               * CASE WHEN greatest(tax_amount.billed_cost, sum(sum(lines.billed_cost)) OVER request) < 0 THEN -1 ELSE 1 END AS weight
    FROM tax_amount
    CROSS JOIN month
    JOIN kstar.statement_invoice AS taxed ON taxed.statement_month < month.statement_month
                                         AND taxed.invoice_id = tax_amount.invoice_id AND taxed.billing_currency = tax_amount.billing_currency
                                         AND taxed.invoice_issuer_name IS NOT DISTINCT FROM tax_amount.invoice_issuer_name
    JOIN (SELECT statement_month, invoice_key, cost_centre, false AS is_prepaid, billed_cost
          FROM kstar.statement_row
          WHERE line_type IN ('charge', 'unallocated') AND component IS DISTINCT FROM 'tax'
          UNION ALL -- what is bought in advance has no row: it is what they leave of the invoice (15_prove.sql), also where its lines were pruned
          SELECT statement_month, invoice_key, NULL, true, billed_cost
          FROM kstar.statement_invoice
          UNION ALL
          SELECT statement_month, invoice_key, NULL, true, -billed_cost
          FROM kstar.statement_row) AS lines ON lines.statement_month = taxed.statement_month AND lines.invoice_key = taxed.invoice_key
    WHERE request_id NOT IN (SELECT request_id FROM own WHERE weight > 0)
      AND (replayed_month IS NULL OR taxed.statement_month IN (SELECT statement_month FROM closed_month))
    GROUP BY request_id, tax_amount.billed_cost, lines.cost_centre, is_prepaid
    WINDOW request AS (PARTITION BY request_id)
), neighbours AS (
    SELECT request_id, cost_centre, is_prepaid, sum(weight) AS weight
    FROM tax_amount
    JOIN invoice_rate USING (source, billing_currency)
    JOIN per_invoice ON per_invoice.invoice_key = invoice_rate.invoice_key
    WHERE invoice_rate.invoice_issuer_name IS NOT DISTINCT FROM tax_amount.invoice_issuer_name
      AND request_id NOT IN (SELECT request_id FROM own WHERE weight > 0 UNION ALL SELECT request_id FROM earlier WHERE weight > 0)
    GROUP BY request_id, cost_centre, is_prepaid
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

INSERT INTO split_request (request_id, part, weight, billed_cost, effective_cost)
SELECT request_id, part, weight, billed_cost - recoverable_billed_cost, effective_cost - recoverable_effective_cost
FROM tax_amount JOIN tax_weight USING (request_id);

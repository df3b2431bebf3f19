-- Pools: what belongs to no single job, split per invoice (docs/allocation.md, Pools). Cost of a closed month that
-- comes with a later invoice is split as that month's statement split the pool.

-- Who issued each invoice. Lines that name nobody (AWS leaves it out of some) are of the only one that other lines of the source name for that
-- invoice, else of the only one that invoices.csv has for it; in a replay, of whom they were at the close.
CREATE TEMP TABLE invoice_issuer ON COMMIT DROP AS
WITH used AS (
    SELECT invoice.*, CASE WHEN invoice_id IS NULL THEN source || ' ' || billing_period END AS open_invoice
    FROM (SELECT DISTINCT invoice_key FROM class_charge JOIN month USING (statement_month)) AS charged
    JOIN invoice USING (invoice_key)
), named AS (
    SELECT source, invoice_id, open_invoice, billing_currency, min(invoice_issuer_name) AS issuer
    FROM used
    GROUP BY source, invoice_id, open_invoice, billing_currency
    HAVING count(DISTINCT invoice_issuer_name) = 1
), stated AS (
    SELECT invoice_id, currency AS billing_currency, min(invoice_issuer_name) AS issuer
    FROM invoice_amount
    GROUP BY invoice_id, currency
    HAVING count(*) = 1
)
SELECT used.invoice_key, used.source, used.invoice_id, used.open_invoice, used.billing_currency,
       CASE WHEN closed.invoice_key IS NOT NULL THEN closed.invoice_issuer_name
            ELSE coalesce(used.invoice_issuer_name, named.issuer, stated.issuer) END AS invoice_issuer_name
FROM used
CROSS JOIN month
LEFT JOIN named ON named.source = used.source AND named.billing_currency = used.billing_currency
               AND (named.invoice_id, named.open_invoice) IS NOT DISTINCT FROM (used.invoice_id, used.open_invoice)
LEFT JOIN stated ON stated.invoice_id = used.invoice_id AND stated.billing_currency = used.billing_currency
LEFT JOIN kstar.statement_invoice AS closed ON closed.statement_month = replayed_month AND closed.invoice_key = used.invoice_key;

-- One rate per invoice: that of its date, else of the month's last day.
CREATE TEMP TABLE invoice_rate ON COMMIT DROP AS
SELECT invoice_key, invoice.source, invoice.invoice_issuer_name, invoice.invoice_id, open_invoice, billing_currency,
       net_amount + tax_amount AS invoice_amount, rate_date,
       CASE WHEN billing_currency = month.statement_currency THEN 1 ELSE rate END AS exchange_rate,
       coalesce(invoice_date, last_day) AS wanted_date, is_frozen, is_to_come
FROM invoice_issuer AS invoice
CROSS JOIN month
LEFT JOIN invoice_amount ON invoice_amount.invoice_id = invoice.invoice_id
                        AND invoice_amount.currency = billing_currency
                        AND invoice_amount.invoice_issuer_name = invoice.invoice_issuer_name
LEFT JOIN LATERAL pg_temp.rate_of(billing_currency, coalesce(invoice_date, last_day)) AS rate
       ON billing_currency <> month.statement_currency;

DO $$
DECLARE
    missing record;
BEGIN
    SELECT * INTO missing FROM invoice_rate WHERE exchange_rate IS NULL ORDER BY billing_currency, wanted_date LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'no exchange rate from % to % for %', missing.billing_currency,
            (SELECT statement_currency FROM month), missing.wanted_date
            USING ERRCODE = 'KS002', DETAIL = 'invoice ' || coalesce(missing.invoice_id, '(open)') || ' of ' || missing.source,
                  HINT = 'add the rate to reference/exchange_rates.csv, or set statement_currency in reference/settings.csv';
    END IF;
END
$$;

CREATE UNIQUE INDEX ON invoice_rate (invoice_key);

CREATE TEMP TABLE pool_of_month ON COMMIT DROP AS
SELECT DISTINCT ON (pool) pool.*
FROM pool CROSS JOIN month
WHERE valid_from <= last_day AND last_day < valid_to
ORDER BY pool, valid_from DESC;

ANALYZE pool_of_month;

-- The weights of closed statements, for the pools that have cost of theirs.
CREATE TEMP TABLE closed_pool_weight ON COMMIT DROP AS
SELECT DISTINCT shared_part.statement_month AS closed_month, pool, component, part, target, attempt_id, cost_centre, reason, weight
FROM kstar.shared_part
WHERE shared_kind = 'pool' AND closed_month IS NULL
  AND (statement_month, pool) IN (SELECT class_charge.closed_month, pool
                                  FROM class_charge JOIN month USING (statement_month)
                                  WHERE target = 'pool' AND class_charge.closed_month IS NOT NULL);

CREATE TEMP TABLE pool_amount ON COMMIT DROP AS
SELECT pool, invoice_key, split.closed_month,
       sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
FROM class_charge
JOIN month USING (statement_month)
LEFT JOIN (SELECT DISTINCT closed_month, pool FROM closed_pool_weight) AS split USING (closed_month, pool)
WHERE target = 'pool'
GROUP BY pool, invoice_key, split.closed_month;

-- Who takes part in a split, with what weight; cost centres that several of a pool's weights name are summed.
CREATE TEMP TABLE pool_weight_of_month ON COMMIT DROP AS
WITH direct_cost AS (
    SELECT cost_centre, sum(effective_cost * exchange_rate) AS weight
    FROM class_charge
    JOIN month USING (statement_month)
    JOIN invoice_rate USING (invoice_key)
    WHERE target IN ('job', 'cost centre')
    GROUP BY cost_centre
), weighed AS (
    SELECT pool, 'cost centre' AS target, NULL::bigint AS attempt_id, owner AS cost_centre, 1::numeric AS weight
    FROM pool_of_month
    WHERE split = 'keep'
    UNION ALL
    SELECT pool, 'cost centre', NULL, pool_weight.cost_centre, CASE split WHEN 'fixed' THEN weight ELSE 1 END
    FROM pool_of_month
    JOIN pool_weight USING (pool)
    CROSS JOIN month
    WHERE split IN ('fixed', 'even') AND pool_weight.valid_from <= last_day AND last_day < pool_weight.valid_to
    UNION ALL
    SELECT pool, 'cost centre', NULL, cost_centre.cost_centre, 1
    FROM pool_of_month
    CROSS JOIN cost_centre
    CROSS JOIN month
    WHERE split = 'even' AND cost_centre.valid_from <= last_day AND last_day < cost_centre.valid_to
      AND NOT EXISTS (SELECT FROM pool_weight
                      WHERE pool_weight.pool = pool_of_month.pool
                        AND pool_weight.valid_from <= last_day AND last_day < pool_weight.valid_to)
    UNION ALL
    SELECT pool, 'job', attempt_id, NULL, CASE basis WHEN 'node_hours' THEN node_seconds ELSE wall_seconds END
    FROM pool_of_month CROSS JOIN attempt_month
    WHERE split = 'proportional' AND basis IN ('node_hours', 'wall_hours') AND component = 'fixed_overhead'
    UNION ALL
    SELECT pool, CASE WHEN cost_centre IS NULL THEN 'unallocated' ELSE 'cost centre' END, NULL, cost_centre,
           sum(CASE basis WHEN 'node_hours' THEN node_seconds ELSE wall_seconds END)
    FROM pool_of_month CROSS JOIN attempt_month
    WHERE split = 'proportional' AND basis IN ('node_hours', 'wall_hours') AND component <> 'fixed_overhead'
    GROUP BY pool, cost_centre
    UNION ALL
    SELECT pool, CASE WHEN cost_centre IS NULL THEN 'unallocated' ELSE 'cost centre' END, NULL, cost_centre, weight
    FROM pool_of_month CROSS JOIN direct_cost
    WHERE split = 'proportional' AND basis = 'direct_cost'
), positive AS (
    SELECT * FROM weighed WHERE weight > 0
), with_owners AS (
    SELECT * FROM positive
    UNION ALL
    SELECT pool, 'cost centre', NULL, owner, 1
    FROM pool_of_month
    WHERE pool NOT IN (SELECT pool FROM positive)
)
SELECT NULL::date AS closed_month, pool, component, target, attempt_id, cost_centre,
       CASE target WHEN 'unallocated' THEN 'job without cost centre' END AS reason, weight,
       row_number() OVER (PARTITION BY pool ORDER BY attempt_id NULLS LAST, cost_centre COLLATE "C" NULLS LAST)::integer AS part
FROM with_owners
JOIN pool_of_month USING (pool)
UNION ALL
SELECT closed_month, pool, component, target, attempt_id, cost_centre, reason, weight, part
FROM closed_pool_weight;

INSERT INTO shared_part (statement_month, invoice_key, shared_kind, pool, closed_month, part, component, target, attempt_id,
                         cost_centre, reason, weight, billed_cost, effective_cost)
SELECT statement_month, invoice_key, 'pool', pool_amount.pool, pool_amount.closed_month, split.part, split.component, split.target, split.attempt_id,
       split.cost_centre, split.reason, split.weight, split.billed_cost, split.effective_cost
FROM pool_amount
JOIN (SELECT pool, closed_month, array_agg(taker ORDER BY part) AS takers, array_agg(weight ORDER BY part) AS weights
      FROM pool_weight_of_month AS taker
      GROUP BY pool, closed_month) AS weighed
     ON weighed.pool = pool_amount.pool AND weighed.closed_month IS NOT DISTINCT FROM pool_amount.closed_month
CROSS JOIN LATERAL (SELECT split_parts(effective_cost, weights) OFFSET 0) AS effective (parts)
CROSS JOIN LATERAL (SELECT CASE WHEN billed_cost = effective_cost AND scale(billed_cost) = scale(effective_cost) THEN effective.parts -- split once
                                ELSE split_parts(billed_cost, weights) END) AS billed (parts)
CROSS JOIN LATERAL unnest(takers, billed.parts, effective.parts)
           AS split (closed_month, pool, component, target, attempt_id, cost_centre, reason, weight, part, billed_cost, effective_cost)
CROSS JOIN month;

-- A pool that no row of pools.csv describes on the month's last day has neither split nor owner.
INSERT INTO shared_part (statement_month, invoice_key, shared_kind, pool, part, target, reason, weight,
                         billed_cost, effective_cost)
SELECT statement_month, invoice_key, 'pool', pool, 1, 'unallocated', 'pool not valid in the month', 1,
       billed_cost, effective_cost
FROM pool_amount
CROSS JOIN month
WHERE closed_month IS NULL AND pool NOT IN (SELECT pool FROM pool_of_month);

-- Most of shared_part, a row for each attempt, pool and invoice: who reads it next is to know that.
SELECT analyze_tables('shared_part');

-- The proof. A statement that fails one of these identities is not published (docs/amounts.md,
-- Conservation). The error names the first one that fails.
CREATE OR REPLACE FUNCTION pg_temp.refuse(identity text, failures bigint, example text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF failures > 0 THEN
        RAISE EXCEPTION '%: % of the statement fail', identity, failures USING ERRCODE = 'KS001', DETAIL = example;
    END IF;
END
$$;

-- Each load has as many lines as its files had when they were read.
SELECT pg_temp.refuse('each line of a load is read once', count(*), min(source || ': ' || coalesce(line_count, 0) || ' of ' || row_count))
FROM load
JOIN current_load USING (load_id, source, billing_period)
JOIN month USING (statement_month)
LEFT JOIN (SELECT invoice.source, billing_period::date AS billing_period, sum(line_count) AS line_count
           FROM line_class JOIN invoice USING (invoice_key)
           GROUP BY 1, 2) AS counted USING (source, billing_period)
WHERE row_count <> coalesce(line_count, 0);

-- Each identity is checked for each invoice, digit for digit. One side is added and the other
-- subtracted, so the sum is 0. In identities 1 to 5 the two sums are billed and effective cost.
-- Charges and parts may be millions of rows, so they are read once and added up before they are
-- compared.
WITH charged AS MATERIALIZED (
    SELECT invoice_key, target, pool, sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
    FROM charge JOIN month USING (statement_month)
    GROUP BY invoice_key, target, pool
), handed_on AS (
    SELECT invoice_key, shared_kind, pool, sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
    FROM shared_part JOIN month USING (statement_month)
    GROUP BY invoice_key, shared_kind, pool
), side AS (
    -- an invoice is the sum of its lines as they were read, with quarantined rows
    SELECT 1 AS turn, invoice_key, NULL AS part, billed_cost AS one, effective_cost AS other FROM month_chunk JOIN chunk_invoice USING (chunk_id, billing_period)
    UNION ALL
    SELECT 1, invoice_key, NULL, billed_cost, effective_cost FROM quarantined_of_month
    UNION ALL
    -- an invoice is the sum of its charges
    SELECT 2, invoice_key, NULL, billed_cost, effective_cost FROM charged
    UNION ALL
    -- an invoice is the sum of its rows; prepaid purchases have no row but that of the bridge, so
    -- their charges are added
    SELECT 3, invoice_key, NULL, billed_cost, effective_cost FROM statement_sum JOIN month USING (statement_month) WHERE block = 'invoice'
    UNION ALL
    SELECT 3, invoice_key, NULL, billed_cost, effective_cost FROM charged WHERE target = 'prepaid'
    UNION ALL
    SELECT turn, invoice_key, NULL, -billed_cost, -effective_cost
    FROM statement_invoice JOIN month USING (statement_month) CROSS JOIN generate_series(1, 3) AS turn
    UNION ALL
    -- the charges of each target are the same, summed by class
    SELECT 4, invoice_key, target, billed_cost, effective_cost FROM charged
    UNION ALL
    SELECT 4, invoice_key, target, -billed_cost, -effective_cost FROM class_charge JOIN month USING (statement_month)
    UNION ALL
    -- pools and tax handed on all that they were given
    SELECT 5, invoice_key, target || ' ' || coalesce(pool, target), billed_cost, effective_cost FROM charged WHERE target IN ('pool', 'tax')
    UNION ALL
    SELECT 5, invoice_key, shared_kind || ' ' || pool, -billed_cost, -effective_cost FROM handed_on
    UNION ALL
    -- charged + balance sheet + prepaid balance change + unexplained = invoice, in cents and
    -- exactly; internal charges add up to 0
    SELECT CASE block WHEN 'invoice' THEN 6 ELSE 7 END, invoice_key, NULL, minor_units, amount FROM statement_sum JOIN month USING (statement_month)
    UNION ALL
    SELECT 6, invoice_key, NULL, -minor_units, -billed_cost * exchange_rate FROM statement_invoice JOIN month USING (statement_month)
)
SELECT pg_temp.refuse(identity, count(*), min(concat_ws(' ', 'invoice ' || coalesce(invoice_id, '(open)') || ' of ' || source, part)))
FROM (SELECT turn, invoice_key, part FROM side GROUP BY turn, invoice_key, part HAVING sum(one) <> 0 OR sum(other) <> 0) AS unequal
JOIN (VALUES (1, 'Σ lines as read = Σ lines of an invoice'),
             (2, 'Σ charges of an invoice = Σ its lines'),
             (3, 'Σ rows of an invoice = Σ its lines'),
             (4, 'Σ class charges = Σ charges, per invoice'),
             (5, 'what a pool was given = what it handed on'),
             (6, 'charged + prepaid balance change = invoice'),
             (7, 'internal charges sum to zero')) AS proof (turn, identity) USING (turn)
LEFT JOIN invoice USING (invoice_key)
GROUP BY turn, identity
ORDER BY turn;

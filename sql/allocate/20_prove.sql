-- The proof: a statement that fails one of these is not published (docs/amounts.md, Conservation).
-- Each identity is stated in words and checked over everything; the first that fails is named.
CREATE OR REPLACE FUNCTION pg_temp.refuse(identity text, failures bigint, example text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF failures > 0 THEN
        RAISE EXCEPTION '%: % of the statement fail', identity, failures USING ERRCODE = 'KS001', DETAIL = example;
    END IF;
END
$$;

-- The lines of the loads are those that the files had: as many, and of as much money, as when they
-- were read.
SELECT pg_temp.refuse('each line of a load is read once', count(*), min(load.source || ': ' || coalesce(line_count, 0) || ' of ' || row_count))
FROM load
JOIN current_load USING (load_id)
JOIN month USING (statement_month)
LEFT JOIN (SELECT invoice.source, billing_period::date AS billing_period, sum(line_count) AS line_count
           FROM line_class JOIN invoice USING (invoice_key)
           GROUP BY 1, 2) AS counted ON counted.source = current_load.source AND counted.billing_period = current_load.billing_period
WHERE row_count <> coalesce(line_count, 0);

SELECT pg_temp.refuse('Σ lines as read = Σ lines as stored', count(*), min('invoice key ' || invoice_key))
FROM (SELECT invoice_key, sum(billed_cost) AS billed_read, sum(effective_cost) AS effective_read
      FROM load
      JOIN current_load USING (load_id)
      JOIN month USING (statement_month)
      JOIN load_chunk USING (load_id)
      JOIN chunk_invoice ON chunk_invoice.chunk_id = load_chunk.chunk_id AND chunk_invoice.billing_period = load_chunk.billing_period
      GROUP BY invoice_key) AS read
FULL JOIN (SELECT invoice_key, sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
           FROM line_class GROUP BY invoice_key) AS stored USING (invoice_key)
WHERE coalesce(billed_read, 0) <> coalesce(billed_cost, 0) OR coalesce(effective_read, 0) <> coalesce(effective_cost, 0);

-- The charges of an invoice add up to its lines, billed and effective, digit for digit. So do its
-- quarantined rows.
SELECT pg_temp.refuse('Σ charges of an invoice = Σ its lines', count(*), min('invoice key ' || invoice_key))
FROM billed_invoice
FULL JOIN (SELECT invoice_key, sum(billed_cost) AS billed_charges, sum(effective_cost) AS effective_charges
           FROM charge JOIN month USING (statement_month) GROUP BY invoice_key) AS charges USING (invoice_key)
WHERE billed_cost IS DISTINCT FROM billed_charges OR effective_cost IS DISTINCT FROM effective_charges;

-- Class charges are the same money, added up in another way.
SELECT pg_temp.refuse('Σ class charges = Σ charges, per invoice', count(*), min('invoice key ' || invoice_key))
FROM (SELECT invoice_key, target, sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
      FROM charge JOIN month USING (statement_month) GROUP BY invoice_key, target) AS charges
FULL JOIN (SELECT invoice_key, target, sum(billed_cost) AS class_billed, sum(effective_cost) AS class_effective
           FROM class_charge JOIN month USING (statement_month) GROUP BY invoice_key, target) AS class_charges USING (invoice_key, target)
WHERE billed_cost IS DISTINCT FROM class_billed OR effective_cost IS DISTINCT FROM class_effective;

-- What pools and tax were given, they handed on, per invoice.
SELECT pg_temp.refuse('what a pool was given = what it handed on', count(*), min(invoice_key || ' ' || name))
FROM (SELECT invoice_key, CASE target WHEN 'pool' THEN pool ELSE 'tax' END AS name, target,
             sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
      FROM charge JOIN month USING (statement_month)
      WHERE target IN ('pool', 'tax') GROUP BY 1, 2, 3) AS given
FULL JOIN (SELECT invoice_key, pool AS name, CASE shared_kind WHEN 'pool' THEN 'pool' ELSE 'tax' END AS target,
                  sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
           FROM shared_part JOIN month USING (statement_month) GROUP BY 1, 2, 3) AS handed_on
     USING (invoice_key, name, target)
WHERE given.billed_cost IS DISTINCT FROM handed_on.billed_cost
   OR given.effective_cost IS DISTINCT FROM handed_on.effective_cost;

SELECT pg_temp.refuse('each row has a component of the table', coalesce(sum(row_count), 0)::bigint, min(component))
FROM statement_sum JOIN month USING (statement_month)
WHERE component NOT IN (SELECT component FROM component);

-- Σ billed of an invoice's lines = Σ billed of its rows, and Σ effective likewise. Prepaid
-- purchases have a row of the bridge alone, so their billed cost is counted there.
SELECT pg_temp.refuse('Σ lines of an invoice = Σ rows of the statement', count(*), min(coalesce(invoice_id, source)))
FROM statement_invoice
JOIN month USING (statement_month)
LEFT JOIN (SELECT invoice_key, sum(billed_cost) AS billed_rows, sum(effective_cost) AS effective_rows
           FROM statement_sum JOIN month USING (statement_month) GROUP BY invoice_key) AS rows USING (invoice_key)
LEFT JOIN (SELECT invoice_key, sum(billed_cost) AS prepaid_billed, sum(effective_cost) AS prepaid_effective
           FROM charge JOIN month USING (statement_month) WHERE target = 'prepaid' GROUP BY invoice_key) AS prepaid
          USING (invoice_key)
WHERE billed_cost <> coalesce(billed_rows, 0) + coalesce(prepaid_billed, 0)
   OR effective_cost <> coalesce(effective_rows, 0) + coalesce(prepaid_effective, 0);

-- Charged + balance sheet + prepaid movement + unexplained = invoice, in whole minor units and
-- exactly.
SELECT pg_temp.refuse('charged + prepaid movement = invoice', count(*), min(coalesce(invoice_id, source)))
FROM statement_invoice
JOIN month USING (statement_month)
LEFT JOIN (SELECT invoice_key, sum(minor_units) AS row_minor, sum(amount) AS row_amount
           FROM statement_sum JOIN month USING (statement_month) WHERE block = 'invoice' GROUP BY invoice_key) AS rows USING (invoice_key)
WHERE minor_units <> coalesce(row_minor, 0) OR billed_cost * exchange_rate <> coalesce(row_amount, 0);

-- Off the bill is a transfer.
SELECT pg_temp.refuse('off the bill sums to zero', count(*), min(total::text))
FROM (SELECT sum(minor_units) AS total, sum(amount) AS exact FROM statement_sum JOIN month USING (statement_month) WHERE block = 'off the bill') AS off_bill
WHERE total <> 0 OR exact <> 0;

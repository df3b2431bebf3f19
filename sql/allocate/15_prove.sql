-- The proof: a statement that fails one of these is not published (design 3.2). Each identity is stated in words and
-- checked over everything; the first that fails is named.
CREATE OR REPLACE FUNCTION pg_temp.refuse(identity text, failures bigint, example text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    IF failures > 0 THEN
        RAISE EXCEPTION '%: % of the statement fail', identity, failures USING ERRCODE = 'KS001', DETAIL = example;
    END IF;
END
$$;

-- What the loads hold is what was allocated: their rows as counted, and their money as summed, when the files were read.
SELECT pg_temp.refuse('each line of a load is allocated once', count(*), min(source || ': ' || coalesce(lines, 0) || ' of ' || row_count))
FROM (SELECT load_id, load.source, row_count
      FROM load JOIN current_load USING (load_id) JOIN month USING (statement_month)) AS loaded
LEFT JOIN (SELECT load_id, count(*) AS lines FROM classed_line GROUP BY load_id) AS allocated USING (load_id)
WHERE row_count <> coalesce(lines, 0);

SELECT pg_temp.refuse('Σ lines as read = Σ lines as allocated', count(*), min('invoice key ' || invoice_key))
FROM (SELECT invoice_key, sum(billed_cost) AS billed_read, sum(effective_cost) AS effective_read
      FROM load
      JOIN current_load USING (load_id)
      JOIN month USING (statement_month)
      JOIN load_chunk USING (load_id)
      JOIN chunk_invoice ON chunk_invoice.chunk_id = load_chunk.chunk_id AND chunk_invoice.billing_period = load_chunk.billing_period
      GROUP BY invoice_key) AS read
FULL JOIN (SELECT invoice_key, sum(billed_cost) AS billed_lines, sum(effective_cost) AS effective_lines
           FROM classed_line GROUP BY invoice_key) AS lines USING (invoice_key)
WHERE coalesce(billed_read, 0) <> coalesce(billed_lines, 0) OR coalesce(effective_read, 0) <> coalesce(effective_lines, 0);

-- Each line's parts sum to the line, billed and effective, digit for digit.
SELECT pg_temp.refuse('Σ parts of a line = the line', count(*),
                      min(file_id || ', line ' || line_number))
FROM (SELECT load_id, file_id, line_number, row_in_record, classed_line.billed_cost, classed_line.effective_cost,
             sum(line_part.billed_cost) AS billed_parts, sum(line_part.effective_cost) AS effective_parts
      FROM classed_line
      LEFT JOIN (SELECT * FROM line_part JOIN month USING (statement_month)) AS line_part USING (load_id, file_id, line_number, row_in_record)
      GROUP BY load_id, file_id, line_number, row_in_record, classed_line.billed_cost, classed_line.effective_cost) AS parts
WHERE billed_cost IS DISTINCT FROM billed_parts OR effective_cost IS DISTINCT FROM effective_parts;

-- What pools and tax were given, they handed on, per invoice.
SELECT pg_temp.refuse('what a pool was given = what it handed on', count(*), min(invoice_key || ' ' || name))
FROM (SELECT invoice_key, CASE target WHEN 'pool' THEN pool ELSE 'tax' END AS name, target,
             sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
      FROM line_part JOIN month USING (statement_month)
      WHERE target IN ('pool', 'tax') GROUP BY 1, 2, 3) AS given
FULL JOIN (SELECT invoice_key, pool AS name, CASE shared_kind WHEN 'pool' THEN 'pool' ELSE 'tax' END AS target,
                  sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
           FROM shared_part JOIN month USING (statement_month) GROUP BY 1, 2, 3) AS handed_on
     USING (invoice_key, name, target)
WHERE given.billed_cost IS DISTINCT FROM handed_on.billed_cost
   OR given.effective_cost IS DISTINCT FROM handed_on.effective_cost;

-- Σ billed of an invoice's lines = Σ billed of its rows, and Σ effective likewise. Prepaid purchases have a row of the
-- bridge alone, so their billed cost is counted there.
SELECT pg_temp.refuse('Σ lines of an invoice = Σ rows of the statement', count(*), min(coalesce(invoice_id, source)))
FROM statement_invoice
JOIN month USING (statement_month)
LEFT JOIN (SELECT invoice_key, sum(billed_cost) AS billed_rows, sum(effective_cost) AS effective_rows
           FROM statement_row JOIN month USING (statement_month) GROUP BY invoice_key) AS rows USING (invoice_key)
LEFT JOIN (SELECT invoice_key, sum(billed_cost) AS prepaid_billed, sum(effective_cost) AS prepaid_effective
           FROM line_part JOIN month USING (statement_month) WHERE target = 'prepaid' GROUP BY invoice_key) AS prepaid
          USING (invoice_key)
WHERE billed_cost <> coalesce(billed_rows, 0) + coalesce(prepaid_billed, 0)
   OR effective_cost <> coalesce(effective_rows, 0) + coalesce(prepaid_effective, 0);

-- Charged + balance sheet + prepaid movement + unexplained = invoice, in whole minor units and exactly.
SELECT pg_temp.refuse('charged + prepaid movement = invoice', count(*), min(coalesce(invoice_id, source)))
FROM statement_invoice
JOIN month USING (statement_month)
LEFT JOIN (SELECT invoice_key, sum(minor_units) AS row_minor, sum(amount) AS row_amount
           FROM statement_row JOIN month USING (statement_month) WHERE block = 'invoice' GROUP BY invoice_key) AS rows
          USING (invoice_key)
WHERE minor_units <> coalesce(row_minor, 0) OR billed_cost * exchange_rate <> coalesce(row_amount, 0);

-- Off the bill is a transfer.
SELECT pg_temp.refuse('off the bill sums to zero', count(*), min(total::text))
FROM (SELECT sum(minor_units) AS total, sum(amount) AS exact
      FROM statement_row JOIN month USING (statement_month) WHERE block = 'off the bill') AS off_bill
WHERE total <> 0 OR exact <> 0;

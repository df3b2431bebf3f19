-- Hands out cents once, from the invoice down, at each level by largest remainder (docs/amounts.md,
-- Cents). The parent is the rounded sum of its parts. So fewer cents are missing than parts have a
-- remainder, and each of these parts gets at most one.

-- The cells, with the branch of the invoice that each is in. Branch 0 is all that is charged. Every
-- other branch is a single row, named by `branch_key`. A carrier's credit is in no branch.
CREATE TEMP TABLE cell_sum ON COMMIT DROP AS
SELECT cell_id, parent, centre, line_type, is_carrier,
       CASE WHEN is_charged THEN 0 WHEN line_type = 'balance sheet' THEN 1 WHEN line_type = 'prepaid' THEN 2 ELSE 3 END AS branch,
       CASE WHEN is_charged THEN '' ELSE min(row_key) END AS branch_key,
       sum(row_count) AS row_count, sum(exact) AS exact, sum(floored) AS floored
FROM exact_sum
CROSS JOIN LATERAL (SELECT line_type IN ('charge', 'unallocated')) AS type (is_charged)
GROUP BY cell_id, parent, centre, line_type, is_carrier, is_charged;

-- Spreadsheets keep 15 digits. A month of 10^15 cents or more, counted without signs, is refused
-- with the name of its largest amount.
DO $$
DECLARE
    large record;
BEGIN
    SELECT coalesce(invoice_id, '(open)') || ' of ' || invoice_rate.source AS invoice, detail.amount, transfer.component INTO large
    FROM (SELECT invoice_key, request_id, amount FROM attempt_detail
          UNION ALL
          SELECT invoice_key, request_id, amount FROM exact_sum WHERE NOT is_of_attempts) AS detail
    LEFT JOIN invoice_rate USING (invoice_key)
    LEFT JOIN transfer USING (request_id)
    WHERE (SELECT sum(size) FROM exact_sum) >= 1e15
    ORDER BY abs(detail.amount) DESC, transfer.component COLLATE "C", invoice LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'the amounts of the month have more than the 15 digits that a spreadsheet keeps: the largest is %', trim_scale(large.amount)
            USING ERRCODE = 'KS002', DETAIL = coalesce('invoice ' || large.invoice, 'internal charge: ' || large.component),
                  HINT = CASE large.component
                             WHEN 'internal_hardware'       THEN 'correct node_rates.csv'
                             WHEN 'internal_overhead' THEN 'correct overhead_rates.csv'
                             WHEN 'engineering_overhead'    THEN 'correct engineering.csv'
                             ELSE 'have the bill delivered again; kstar db psql finds its line in current_billing_line'
                         END;
    END IF;
END
$$;

-- The cents of each cell. `missing` are the cents that its details have to get on top of their
-- amounts rounded down. A carrier's credit is the negative of what its transfer charges.
CREATE TEMP TABLE cell_cents ON COMMIT DROP AS
WITH branch_sum AS (
    SELECT parent, branch, branch_key, sum(exact) AS exact
    FROM cell_sum
    WHERE NOT is_carrier
    GROUP BY parent, branch, branch_key
), branch_cents AS (
    SELECT parent, branch, branch_key,
           floor(exact) + (row_number() OVER (one_parent ORDER BY exact - floor(exact) DESC, branch, branch_key COLLATE "C")
                           <= coalesce(minor_units, round(exact)) - sum(floor(exact)) OVER one_parent)::integer AS cents
    FROM branch_sum
    LEFT JOIN (SELECT invoice_key AS parent, minor_units FROM statement_invoice JOIN month USING (statement_month)) AS billed USING (parent)
    WINDOW one_parent AS (PARTITION BY parent)
), ranked AS (
    SELECT cell_sum.*, cents, (sum(row_count) OVER (ORDER BY cell_id) - row_count)::bigint AS rows_before,
           sum(floor(exact)) OVER of_branch AS floored_cells,
           row_number() OVER (of_branch ORDER BY exact - floor(exact) DESC, line_type, cell_id) AS turn
    FROM cell_sum
    JOIN branch_cents USING (parent, branch, branch_key)
    WINDOW of_branch AS (PARTITION BY parent, branch, branch_key, is_carrier)
)
SELECT cell_id, is_carrier, rows_before, CASE WHEN is_carrier THEN -cents ELSE floor(exact) + (turn <= cents - floored_cells)::integer END - floored AS missing,
       coalesce(account.gl_account,
                pg_temp.setting_on(CASE line_type WHEN 'charge' THEN 'suspense' ELSE line_type END || '_gl_account', last_day, NULL)) AS cell_account
FROM ranked CROSS JOIN month
LEFT JOIN cost_centre AS account ON account.cost_centre = centre AND valid_from <= last_day AND last_day < valid_to;

ANALYZE cell_cents;

-- The details as published. The sort key is the cell's number less the remainder, which is below 1.
-- So cells follow one another, and within a cell the largest remainder comes first. The few sums
-- and their cells are joined first: PostgreSQL expects too few details, and might then compare each
-- cell with all of them.
INSERT INTO statement_detail (statement_month, sum_id, attempt_id, billed_cost, effective_cost, amount, minor_units)
WITH place AS MATERIALIZED (
    SELECT exact_sum.*, rows_before, missing FROM exact_sum JOIN cell_cents USING (cell_id)
), detail AS (
    SELECT sum_id, cell_id, row_key, component_position, attempt_id, detail.billed_cost, detail.effective_cost, detail.amount, detail.exact,
           is_carrier, rows_before, missing
    FROM attempt_detail AS detail
    JOIN place ON is_of_attempts AND parent = coalesce(detail.invoice_key, -detail.request_id) AND place.component = detail.component
              AND centre = coalesce(detail.cost_centre, '')
    UNION ALL
    SELECT sum_id, cell_id, row_key, component_position, NULL, billed_cost, effective_cost, amount, exact, is_carrier, rows_before, missing
    FROM place
    WHERE NOT is_of_attempts
)
SELECT (SELECT statement_month FROM month), sum_id, attempt_id, billed_cost, effective_cost, amount,
       floor(exact) + CASE WHEN is_carrier THEN missing ELSE (turn - rows_before <= missing)::integer END
FROM (SELECT detail.*, row_number() OVER (ORDER BY cell_id - (exact - floor(exact)), attempt_id, row_key COLLATE "C", component_position) AS turn
      FROM detail) AS ranked;

-- The sums as published: the details added up again.
INSERT INTO statement_sum (statement_month, sum_id, block, line_type, invoice_key, cost_centre, component, row_key, pool, reason, gl_account, is_of_attempts,
                           row_count, billed_cost, effective_cost, amount, minor_units)
SELECT statement_month, sum_id, CASE WHEN invoice_key IS NULL THEN 'internal' ELSE 'invoice' END, line_type, invoice_key, cost_centre,
       component, row_key, pool, reason, coalesce(gl_account, cell_account), is_of_attempts, detail.row_count, detail.billed_cost,
       detail.effective_cost, detail.amount, detail.minor_units
FROM exact_sum
JOIN cell_cents USING (cell_id)
JOIN (SELECT statement_month, sum_id, count(*) AS row_count, sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost,
             sum(amount) AS amount, sum(minor_units) AS minor_units
      FROM statement_detail JOIN month USING (statement_month)
      GROUP BY statement_month, sum_id) AS detail USING (sum_id);

SELECT analyze_tables('statement_detail', 'statement_sum', 'statement_invoice');

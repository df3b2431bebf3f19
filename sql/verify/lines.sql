-- The lines of each chunk are those that were read: as many, and of as much money for each invoice
-- and each account.
-- $1 is the month. As in each file of this folder, the answer is one row: how many were compared,
-- how many differ, the first that does, and why nothing could be compared.
WITH place AS MATERIALIZED (
    SELECT load_id, chunk_id, load_chunk.billing_period, label || '/' || path AS file, first_line
    FROM statement_load
    JOIN load_chunk USING (load_id)
    JOIN source_file USING (file_id)
    JOIN delivery USING (delivery_id)
    WHERE statement_month = $1::date
), stated AS MATERIALIZED (
    SELECT chunk_id, billing_period, min(file COLLATE "C") AS file, min(first_line) AS first_line
    FROM place
    GROUP BY chunk_id, billing_period
), cell AS MATERIALIZED (
    SELECT chunk_id, billing_period, invoice_key, coalesce(account_key, 0) AS account_key, count(*) AS lines,
           count(*) FILTER (WHERE billed_cost <> 0 OR effective_cost <> 0) AS money_rows,
           sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
    FROM billing_line
    JOIN stated USING (chunk_id, billing_period)
    WHERE billing_line.billing_period = ANY (ARRAY(SELECT billing_period FROM stated))
    GROUP BY chunk_id, billing_period, invoice_key, account_key
), stored AS MATERIALIZED (
    SELECT chunk_id, billing_period, invoice_key, sum(lines) AS lines, sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
    FROM cell
    GROUP BY chunk_id, billing_period, invoice_key
), of_account AS (
    SELECT chunk_id, billing_period, account_key, billing_currency, sum(money_rows) AS money_rows, sum(billed_cost) AS billed_cost
    FROM cell
    JOIN (SELECT invoice_key, billing_currency FROM invoice) AS currency USING (invoice_key)
    GROUP BY chunk_id, billing_period, account_key, billing_currency
), account_money AS (
    SELECT file, first_line, first_line + line_count - 1 AS last_line,
           format('account %s: %s lines with cost and %s %s billed were read, %s and %s are stored',
                  coalesce(sub_account_id, billing_account_id, '(none)'), coalesce(was.money_rows, 0), coalesce(was.billed_cost, 0), billing_currency,
                  coalesce(stored.money_rows, 0), coalesce(stored.billed_cost, 0)) AS what
    FROM (SELECT chunk_content.* FROM chunk_content JOIN stated USING (chunk_id, billing_period)) AS was
    FULL JOIN of_account AS stored USING (chunk_id, billing_period, account_key, billing_currency)
    JOIN stated USING (chunk_id, billing_period)
    JOIN chunk USING (chunk_id, billing_period)
    LEFT JOIN account USING (account_key)
    WHERE coalesce(was.money_rows, 0) <> coalesce(stored.money_rows, 0) OR coalesce(was.billed_cost, 0) <> coalesce(stored.billed_cost, 0)
), money AS (
    SELECT file, first_line, first_line + line_count - 1 AS last_line,
           format('invoice %s: %s billed and %s effective were read, %s and %s are stored', coalesce(invoice_id, '(open)'),
                  coalesce(was.billed_cost, 0), coalesce(was.effective_cost, 0), coalesce(stored.billed_cost, 0), coalesce(stored.effective_cost, 0)) AS what
    FROM (SELECT chunk_invoice.* FROM chunk_invoice JOIN stated USING (chunk_id, billing_period)) AS was
    FULL JOIN stored USING (chunk_id, billing_period, invoice_key)
    JOIN stated USING (chunk_id, billing_period)
    JOIN chunk USING (chunk_id, billing_period)
    LEFT JOIN invoice USING (invoice_key)
    WHERE coalesce(was.billed_cost, 0) <> coalesce(stored.billed_cost, 0) OR coalesce(was.effective_cost, 0) <> coalesce(stored.effective_cost, 0)
), number AS (
    SELECT file, first_line, first_line + line_count - 1 AS last_line, format('%s lines were read, %s are stored', row_count, coalesce(lines, 0)) AS what
    FROM stated
    JOIN chunk USING (chunk_id, billing_period)
    LEFT JOIN (SELECT chunk_id, billing_period, sum(lines) AS lines FROM stored GROUP BY chunk_id, billing_period) AS there USING (chunk_id, billing_period)
    WHERE row_count <> coalesce(lines, 0)
), whole AS (
    SELECT label, NULL::bigint, NULL::bigint, format('%s lines were read, its chunks have %s', load.row_count, coalesce(sum(chunk.row_count), 0))
    FROM statement_load
    JOIN load USING (load_id, statement_month)
    JOIN delivery USING (delivery_id)
    LEFT JOIN place USING (load_id)
    LEFT JOIN chunk ON chunk.chunk_id = place.chunk_id AND chunk.billing_period = place.billing_period
    WHERE statement_month = $1::date AND statement_month NOT IN (SELECT statement_month FROM pruned_month)
    GROUP BY load_id, label, load.row_count
    HAVING load.row_count <> coalesce(sum(chunk.row_count), 0)
), wrong AS (
    SELECT 1 AS position, * FROM number
    UNION ALL SELECT 1, * FROM whole
    UNION ALL SELECT 2, * FROM money
    UNION ALL SELECT 3, * FROM account_money
)
SELECT (SELECT coalesce(sum(lines), 0) FROM stored)::bigint, (SELECT count(*) FROM wrong),
       (SELECT concat_ws(', ', file, 'lines ' || first_line || ' to ' || last_line, what) FROM wrong ORDER BY file COLLATE "C", first_line, position, what LIMIT 1),
       (SELECT 'the lines were pruned' FROM pruned_month WHERE statement_month = $1::date);

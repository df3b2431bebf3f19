-- Why the sum of chunk $1 in billing period $2 is not the recorded one: another number of lines,
-- else another cost of an invoice, else another column.
WITH stored AS (
    SELECT count(*) AS lines FROM billing_line WHERE chunk_id = $1::bigint AND billing_period = $2::date
), of_invoice AS (
    SELECT invoice_key, sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
    FROM billing_line
    WHERE chunk_id = $1::bigint AND billing_period = $2::date
    GROUP BY invoice_key
), difference AS (
    SELECT 1 AS position, format('%s lines were read, %s are stored', row_count, lines) AS what
    FROM chunk
    CROSS JOIN stored
    WHERE chunk_id = $1::bigint AND billing_period = $2::date AND row_count <> lines
    UNION ALL
    SELECT 2, format('invoice %s: %s billed and %s effective were read, %s and %s are stored', coalesce(invoice_id, '(open)'),
                     coalesce(was.billed_cost, 0), coalesce(was.effective_cost, 0), coalesce(of_invoice.billed_cost, 0),
                     coalesce(of_invoice.effective_cost, 0))
    FROM (SELECT * FROM chunk_invoice WHERE chunk_id = $1::bigint AND billing_period = $2::date) AS was
    FULL JOIN of_invoice USING (invoice_key)
    LEFT JOIN invoice USING (invoice_key)
    WHERE coalesce(was.billed_cost, 0) <> coalesce(of_invoice.billed_cost, 0)
       OR coalesce(was.effective_cost, 0) <> coalesce(of_invoice.effective_cost, 0)
    UNION ALL
    SELECT 3, 'a column of a line is not as it was read; the cost of each invoice is'
)
SELECT what
FROM difference
ORDER BY position, what COLLATE "C"
LIMIT 1;

-- The charges of each invoice add up to the invoice, billed and effective, digit for digit. So do
-- the charges by class of line, or in a pruned month the stored sums. $1 is the month.
WITH added AS (
    SELECT 'charges' AS of, invoice_key, sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
    FROM charge WHERE statement_month = $1::date GROUP BY invoice_key
    UNION ALL
    SELECT 'class charges', invoice_key, sum(billed_cost), sum(effective_cost)
    FROM class_charge WHERE statement_month = $1::date GROUP BY invoice_key
    UNION ALL
    SELECT 'pruned charges', invoice_key, billed_cost, effective_cost FROM pruned_invoice WHERE statement_month = $1::date
), kept AS (
    SELECT unnest(CASE WHEN EXISTS (SELECT FROM pruned_month WHERE statement_month = $1::date) THEN '{pruned charges}'
                       ELSE '{charges,"class charges"}' END::text[]) AS of
), compared AS (
    SELECT stated.billed_cost IS DISTINCT FROM added.billed_cost OR stated.effective_cost IS DISTINCT FROM added.effective_cost AS differs,
           format('invoice %s of %s: the statement has %s billed and %s effective, its %s are %s and %s',
                  coalesce(invoice_id, '(open)'), coalesce(source, 'nobody'), coalesce(stated.billed_cost, 0), coalesce(stated.effective_cost, 0), of,
                  coalesce(added.billed_cost, 0), coalesce(added.effective_cost, 0)) AS what
    FROM (SELECT of, statement_invoice.* FROM statement_invoice CROSS JOIN kept WHERE statement_month = $1::date) AS stated
    FULL JOIN added USING (of, invoice_key)
)
SELECT count(*), count(*) FILTER (WHERE differs), min(what COLLATE "C") FILTER (WHERE differs), NULL
FROM compared;

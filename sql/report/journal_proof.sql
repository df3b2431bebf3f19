-- Sheet "Journal": what it books besides the reversal, against the statement.
WITH booked AS (
    SELECT coalesce(sum(minor_units) FILTER (WHERE block = 'invoice' AND line_type <> 'clearing'), 0)     AS invoiced,
           coalesce(sum(minor_units) FILTER (WHERE block = 'adjustment' AND line_type <> 'clearing'), 0)  AS adjusted
    FROM report_journal_line
), stated AS (
    SELECT (SELECT coalesce(sum(minor_units), 0) FROM statement_invoice
            WHERE statement_month = current_setting('kstar.statement_month')::date) AS invoiced,
           (SELECT coalesce(sum(minor_units), 0) FROM adjustment
            WHERE statement_month = current_setting('kstar.statement_month')::date AND source IS NOT NULL) AS adjusted
), compared AS (
    SELECT 'invoice' AS block, 'This period''s invoices' AS what, booked.invoiced AS booked, stated.invoiced AS stated FROM booked, stated
    UNION ALL
    SELECT 'adjustment', 'Adjustments to closed invoices', booked.adjusted, stated.adjusted FROM booked, stated
)
SELECT block, what, booked::bigint AS booked, stated::bigint AS stated, (booked - stated)::bigint AS difference, booked = stated AS proven
FROM compared
ORDER BY block DESC;

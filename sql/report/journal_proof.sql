-- Compares what a journal books, without its reversal, with its statement: a row for each
-- difference. No row: they are equal.
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
    SELECT 'this period''s invoices' AS what, booked.invoiced AS booked, stated.invoiced AS stated FROM booked, stated
    UNION ALL
    SELECT 'adjustments to closed invoices', booked.adjusted, stated.adjusted FROM booked, stated
)
SELECT what, booked, stated
FROM compared
WHERE booked <> stated;

-- The invoices of the month, as billed.
SELECT coalesce(sum(minor_units), 0)::bigint
FROM statement_invoice
WHERE statement_month = current_setting('kstar.statement_month')::date;

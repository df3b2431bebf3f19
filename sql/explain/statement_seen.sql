-- As statement.sql, for a reader.
SELECT status, statement_currency
FROM kstar_views.report_month
WHERE statement_month = $1::date;

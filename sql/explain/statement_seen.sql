-- As statement.sql, for a reader.
SELECT status
FROM kstar_views.report_month
WHERE statement_month = $1::date;

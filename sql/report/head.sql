-- The statement that a workbook shows. No row: the month has no published statement.
SELECT to_char(statement_month, 'FMMonth YYYY') AS month_name, status, run_id, kstar_version, as_of, statement_currency,
       minor_unit_digits
FROM statement
WHERE statement_month = current_setting('kstar.statement_month')::date;

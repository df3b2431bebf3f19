-- The closed months whose workbooks have not been written into folder $1 as final.
SELECT to_char(statement_month, 'YYYY-MM-DD')
FROM closure
WHERE written_to IS DISTINCT FROM $1
ORDER BY statement_month;

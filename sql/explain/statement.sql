-- The status of the statement of month $1.
SELECT status
FROM statement
WHERE statement_month = $1::date;

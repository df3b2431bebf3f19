-- The status and currency of the statement of month $1.
SELECT status, statement_currency
FROM statement
WHERE statement_month = $1::date;

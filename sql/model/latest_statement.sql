-- The latest statement: its month and currency. No row: none is published.
SELECT statement_month::text, to_char(statement_month, 'YYYY-MM'), statement_currency
FROM statement
ORDER BY statement_month DESC
LIMIT 1;

-- The month of what kstar report units prints: $1, else the latest statement's. No row: there is no statement.
SELECT statement_month::text, to_char(statement_month, 'YYYY-MM')
FROM statement
WHERE statement_month = coalesce(nullif($1, '')::date, (SELECT max(statement_month) FROM statement));

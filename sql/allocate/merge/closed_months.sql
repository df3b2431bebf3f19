-- The closed months that the statement sees.
DECLARE catalogue NO SCROLL CURSOR FOR
SELECT statement_month, statement_month::timestamptz, (statement_month + interval '1 month')::timestamptz
FROM closed_month
ORDER BY 1

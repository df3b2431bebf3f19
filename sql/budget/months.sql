-- The months that `kstar budget` shows: $1 (YYYY-MM), else the open ones that have a statement.
SELECT to_char(statement_month, 'YYYY-MM') AS period
FROM statement
WHERE $1::text IS NULL AND status = 'Preliminary'
UNION
SELECT $1
WHERE $1 IS NOT NULL
ORDER BY period;

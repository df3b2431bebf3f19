-- The months that `kstar budget` shows: $1 (YYYY-MM), else the open ones that have a statement.
-- `has_statement`: a month asked for may have none, or not yet.
SELECT period, has_statement
FROM (SELECT to_char(statement_month, 'YYYY-MM') AS period, true AS has_statement
      FROM statement
      WHERE CASE WHEN $1::text IS NULL THEN status = 'Preliminary' ELSE to_char(statement_month, 'YYYY-MM') = $1 END
      UNION
      SELECT $1, false
      WHERE $1 IS NOT NULL AND NOT EXISTS (SELECT FROM statement WHERE to_char(statement_month, 'YYYY-MM') = $1)) AS shown
ORDER BY period;

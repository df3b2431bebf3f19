-- Where the answer has no row: the names that the statement of month $1 has of what was asked for
-- ($2 says of what).
SELECT string_agg(name, ', ' ORDER BY name COLLATE "C")
FROM (SELECT DISTINCT name
      FROM (SELECT 'cost centre' AS kind, cost_centre AS name FROM statement_sum WHERE statement_month = $1::date AND line_type = 'charge'
            UNION ALL
            SELECT 'pool', pool FROM shared_part WHERE statement_month = $1::date
            UNION ALL
            SELECT 'invoice', coalesce(invoice_id, '(open)') FROM statement_invoice WHERE statement_month = $1::date
            UNION ALL
            SELECT 'line', file FROM explained) AS named
      WHERE kind = $2 AND name IS NOT NULL
      ORDER BY name
      LIMIT 12) AS known
WHERE NOT EXISTS (SELECT FROM asked)
HAVING NOT EXISTS (SELECT FROM asked);

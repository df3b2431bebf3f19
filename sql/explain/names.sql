-- If the answer has no row: names on the statement of month $1 that could have been asked for. $2
-- says whether they are cost centres, pools, invoices or files.
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

-- The last workbook of month $1 that each destination received ($2; if it is NULL, all addresses of
-- mail), unless its owner was informed since then that it is withdrawn. A month that was closed
-- before the last closed one has no row.
SELECT cost_centre, destination, file_name
FROM (SELECT DISTINCT ON (cost_centre, destination) *
      FROM handed_over
      WHERE statement_month = $1::date AND (destination = $2 OR $2::text IS NULL AND destination LIKE 'mail:%')
      ORDER BY cost_centre, destination, handing DESC) AS latest
WHERE status <> 'Withdrawn'
  AND NOT EXISTS (SELECT
                  FROM statement
                  WHERE status = 'Final' AND statement_month = $1::date
                    AND statement_month < (SELECT max(statement_month) FROM statement WHERE status = 'Final'))
ORDER BY cost_centre COLLATE "C", destination COLLATE "C";

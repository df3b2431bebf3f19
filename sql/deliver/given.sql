-- What was handed over last of month $1 to each destination (only $2, or where NULL all addresses
-- of mail), unless its owner was informed since that it is withdrawn. No row of a month closed
-- before the last one.
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

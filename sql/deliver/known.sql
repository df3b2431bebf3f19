-- A row if a version of a workbook ($1 month, $2 cost centre, $4 SHA-256) is the last one that was
-- handed to a destination ($3).
SELECT handed_at
FROM (SELECT handed_at, sha256
      FROM handed_over
      WHERE statement_month = $1::date AND cost_centre = $2 AND destination = $3
      ORDER BY handing DESC
      LIMIT 1) AS latest
WHERE sha256 = $4;

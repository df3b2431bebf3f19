-- Claims a version of a workbook ($1 month, $2 cost centre, $4 SHA-256) for a destination ($3), in
-- the transaction that hands it over. Returns the number of this handing over. No row: this version
-- is the last one handed over there. A second kstar waits here until the first one has ended. For a
-- withdrawn charge $4 is '': the owner was informed.
WITH latest AS (
    SELECT handing, sha256
    FROM handed_over
    WHERE statement_month = $1::date AND cost_centre = $2 AND destination = $3
    ORDER BY handing DESC
    LIMIT 1
)
INSERT INTO handed_over (statement_month, cost_centre, destination, sha256, status, run_id, file_name, handing)
SELECT $1::date, $2, $3, $4, $5, $6, $7, coalesce(handing, 0) + 1
FROM (VALUES (true)) AS always LEFT JOIN latest ON true
WHERE latest.sha256 IS DISTINCT FROM $4
ON CONFLICT DO NOTHING
RETURNING handing;

-- Claims a version of a workbook ($1 month, $2 cost centre, $4 SHA-256) for a destination ($3) within the transaction that hands
-- it over; no row: it has been handed over. A second kstar waits here for the first one's outcome.
INSERT INTO handed_over (statement_month, cost_centre, destination, sha256, status, run_id, file_name)
VALUES ($1::date, $2, $3, $4, $5, $6, $7)
ON CONFLICT DO NOTHING
RETURNING true;

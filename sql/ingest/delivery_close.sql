-- Completes the row of delivery $1: SHA-256, rows loaded, rows quarantined.
UPDATE delivery SET sha256 = $2, row_count = $3, quarantined_rows = $4 WHERE delivery_id = $1;

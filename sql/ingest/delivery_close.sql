-- What came of delivery $1: rows loaded, rows kept aside.
UPDATE delivery SET row_count = $2, rejected_rows = $3 WHERE delivery_id = $1;

-- Delivery $1 came in other files as well: their SHA-256 and bytes.
UPDATE delivery SET other_sha256 = $2, other_bytes = $3 WHERE delivery_id = $1;

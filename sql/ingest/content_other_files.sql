-- The lines of delivery $1 also came in other files: records the SHA-256 and size of those files.
UPDATE delivery SET other_sha256 = $2, other_bytes = $3 WHERE delivery_id = $1;

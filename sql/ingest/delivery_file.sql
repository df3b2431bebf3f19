-- Registers a file of delivery $1: name, bytes. Its hash follows at the end
-- (delivery_file_hash.sql).
INSERT INTO source_file (delivery_id, path, sha256, bytes)
VALUES ($1, $2, '', $3)
RETURNING file_id;

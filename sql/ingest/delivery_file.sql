-- Registers a file of delivery $1: name, SHA-256, bytes.
INSERT INTO source_file (delivery_id, path, sha256, bytes)
VALUES ($1, $2, $3, $4)
RETURNING file_id;

-- Registers a delivery: kind, source, label, SHA-256.
INSERT INTO delivery (kind, source, label, sha256)
VALUES ($1, $2, $3, $4)
RETURNING delivery_id;

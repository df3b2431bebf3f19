-- Registers a delivery: kind, source, label. Its hash follows at the end (delivery_close.sql).
INSERT INTO delivery (kind, source, label, sha256)
VALUES ($1, $2, $3, '')
RETURNING delivery_id;

-- Registers a delivery: kind, source, label, loader. Its hash follows at the end
-- (delivery_close.sql).
INSERT INTO delivery (kind, source, label, loader, sha256)
VALUES ($1, $2, $3, $4, '')
RETURNING delivery_id;

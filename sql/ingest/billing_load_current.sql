-- Makes load $1 the current one of its source and billing period $2. All of a delivery is one
-- transaction, so a reader sees the old lines or the new ones.
INSERT INTO current_load (source, billing_period, load_id)
SELECT source, billing_period, load_id
FROM load
WHERE load_id = $1 AND billing_period = $2::date
ON CONFLICT (source, billing_period) DO UPDATE SET load_id = excluded.load_id;

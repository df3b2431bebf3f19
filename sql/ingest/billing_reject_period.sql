-- Rows of delivery $1 that stand before any whose billing period could be read belong to the first one that it
-- holds.
UPDATE rejected_row
SET billing_period = (SELECT min(billing_period) FROM load WHERE delivery_id = $1)
WHERE delivery_id = $1 AND billing_period IS NULL;

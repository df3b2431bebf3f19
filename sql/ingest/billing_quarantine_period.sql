-- Rows of delivery $1 that stand before any row with a readable billing period get the delivery's
-- first period. Pruned months come last, since they take no rows (billing_replace.h).
UPDATE quarantined_row
SET billing_period = (SELECT coalesce(min(billing_period) FILTER (WHERE statement_month NOT IN (SELECT statement_month FROM pruned_month)),
                                      min(billing_period))
                      FROM load WHERE delivery_id = $1)
WHERE delivery_id = $1 AND billing_period IS NULL;

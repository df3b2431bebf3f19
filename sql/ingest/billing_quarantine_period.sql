-- Rows of delivery $1 that stand before any whose billing period could be read belong to the first
-- one that it holds, and of which something is kept: a month that was pruned takes none
-- (billing_replace.h).
UPDATE quarantined_row
SET billing_period = (SELECT coalesce(min(billing_period) FILTER (WHERE statement_month NOT IN (SELECT statement_month FROM pruned_month)),
                                      min(billing_period))
                      FROM load WHERE delivery_id = $1)
WHERE delivery_id = $1 AND billing_period IS NULL;

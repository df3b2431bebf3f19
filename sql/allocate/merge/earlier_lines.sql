-- What earlier statements' usage lines tell of the time of nodes that have a Correction in this
-- one, a closed month's as it was closed.
DECLARE catalogue NO SCROLL CURSOR FOR
SELECT node_key, source, sku_id, charge_period_start, charge_period_end, seconds
FROM earlier_time
ORDER BY node_key

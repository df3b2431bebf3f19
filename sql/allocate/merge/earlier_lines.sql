-- Billed time of nodes that have a Correction in this statement, from usage lines of earlier
-- statements. A closed month counts as it was closed.
DECLARE catalogue NO SCROLL CURSOR FOR
SELECT node_key, source, sku_id, charge_period_start, charge_period_end, seconds
FROM earlier_time
ORDER BY node_key

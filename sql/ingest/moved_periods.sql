-- The loads that delivery $1 drops: current loads of billing periods that the delivery does not
-- have, but an earlier delivery had. The earlier delivery is
-- 1. one of which this delivery replaces another period,
-- 2. the latest one under its label, or
-- 3. any under its label, if this delivery has new usage in a time that the dropped load covers.
-- Pruned months have no lines to compare.
CREATE TEMP TABLE dropped_load ON COMMIT DROP AS
WITH incoming AS (
    SELECT delivery_id, source, label FROM delivery WHERE delivery_id = $1::integer
), delivered AS (
    SELECT load_id, billing_period FROM load JOIN incoming USING (delivery_id)
), replaced AS (
    SELECT load.load_id, load.delivery_id
    FROM incoming
    JOIN current_load USING (source)
    JOIN delivered USING (billing_period)
    JOIN load ON load.load_id = current_load.load_id
), new_chunk AS (
    SELECT covered_from, covered_to
    FROM delivered
    JOIN load_chunk USING (load_id, billing_period)
    JOIN chunk USING (chunk_id, billing_period)
    WHERE row_count > 0
      AND NOT EXISTS (SELECT FROM load_chunk AS before JOIN replaced ON replaced.load_id = before.load_id
                      WHERE before.chunk_id = load_chunk.chunk_id AND before.billing_period = load_chunk.billing_period)
), latest AS (
    SELECT max(delivery.delivery_id) AS delivery_id
    FROM incoming
    JOIN delivery USING (source, label)
    WHERE kind = 'billing' AND delivery.delivery_id < incoming.delivery_id
)
SELECT load.load_id, load.billing_period, load.row_count
FROM incoming
JOIN current_load USING (source)
JOIN load ON load.load_id = current_load.load_id
JOIN delivery ON delivery.delivery_id = load.delivery_id
WHERE load.row_count > 0
  AND load.billing_period NOT IN (SELECT billing_period FROM delivered)
  AND load.statement_month NOT IN (SELECT statement_month FROM pruned_month)
  AND (load.delivery_id IN (SELECT delivery_id FROM replaced)
       OR load.delivery_id = (SELECT delivery_id FROM latest)
       OR delivery.label = incoming.label
          AND EXISTS (SELECT FROM new_chunk
                      WHERE (new_chunk.covered_from < load.covered_to AND new_chunk.covered_to > load.covered_from) IS NOT FALSE));

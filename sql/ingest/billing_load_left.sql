-- The chunks that only the load has which load $1 of billing period $2 replaces; none where a closed statement was made
-- of that one. ANALYZE follows: to find a load's lines chunk by chunk would take a scan of the period for each.
INSERT INTO left_chunk (chunk_id, billing_period)
SELECT DISTINCT chunk_id, billing_period
FROM load_chunk AS its
JOIN current_load USING (load_id, billing_period)
WHERE source = (SELECT source FROM load WHERE load_id = $1) AND billing_period = $2::date
  AND load_id NOT IN (SELECT load_id FROM closure_load)
  AND NOT EXISTS (SELECT
                  FROM load_chunk AS other
                  WHERE other.chunk_id = its.chunk_id AND other.billing_period = its.billing_period
                    AND other.load_id <> its.load_id);

-- Makes load $1 the current one of its source and billing period $2. What it replaces goes with it: a reader sees
-- the old lines or the new ones, since all of this is one transaction. The replaced load itself stays as a record; its
-- lines, where no other load has their chunk. A load that a closed statement was made of keeps all it has.
WITH incoming AS (
    SELECT load_id, source, billing_period
    FROM load
    WHERE load_id = $1
), replaced AS (
    SELECT load.load_id, load.delivery_id, load.billing_period
    FROM incoming
    JOIN current_load USING (source, billing_period)
    JOIN load ON load.load_id = current_load.load_id
    WHERE load.load_id NOT IN (SELECT load_id FROM closure_load)
), left_chunk AS (
    SELECT DISTINCT chunk_id, billing_period
    FROM load_chunk AS its
    JOIN replaced USING (load_id, billing_period)
    WHERE NOT EXISTS (SELECT
                      FROM load_chunk AS other
                      WHERE other.chunk_id = its.chunk_id AND other.billing_period = its.billing_period
                        AND other.load_id <> its.load_id)
), pruned_place AS (
    DELETE FROM load_chunk
    USING replaced
    WHERE load_chunk.load_id = replaced.load_id
), pruned_line AS (
    DELETE FROM billing_line
    USING left_chunk
    WHERE billing_line.billing_period = $2::date AND billing_line.chunk_id = left_chunk.chunk_id
), unshared AS ( -- a piece of several periods is shared with all of them or not at all
    UPDATE chunk
    SET content_key = NULL
    WHERE chunk_id IN (SELECT chunk_id FROM left_chunk)
      AND (chunk_id, billing_period) NOT IN (SELECT chunk_id, billing_period FROM left_chunk)
), pruned_chunk AS (
    DELETE FROM chunk
    USING left_chunk
    WHERE chunk.chunk_id = left_chunk.chunk_id AND chunk.billing_period = left_chunk.billing_period
), pruned_reject AS (
    DELETE FROM rejected_row
    USING replaced
    WHERE rejected_row.delivery_id = replaced.delivery_id
      AND rejected_row.billing_period = replaced.billing_period
)
INSERT INTO current_load (source, billing_period, load_id)
SELECT source, billing_period, load_id
FROM incoming
ON CONFLICT (source, billing_period) DO UPDATE SET load_id = excluded.load_id;

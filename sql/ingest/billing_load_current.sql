-- Makes load $1 the current one of its source and billing period $2. What it replaces goes with it: a reader sees
-- the old lines or the new ones, since all of this is one transaction. The replaced load itself stays as a record; its
-- lines, where another load has their chunk (all others are in left_chunk). A load that a closed statement was made of
-- keeps all it has.
WITH replaced AS (
    SELECT load.load_id, load.delivery_id
    FROM load AS incoming
    JOIN current_load USING (source, billing_period)
    JOIN load ON load.load_id = current_load.load_id
    WHERE incoming.load_id = $1 AND load.load_id NOT IN (SELECT load_id FROM closure_load)
), pruned_place AS (
    DELETE FROM load_chunk
    USING replaced
    WHERE load_chunk.load_id = replaced.load_id
), pruned_line AS (
    DELETE FROM billing_line
    USING left_chunk
    WHERE billing_line.billing_period = $2::date AND left_chunk.billing_period = $2::date
      AND billing_line.chunk_id = left_chunk.chunk_id
), unshared AS ( -- a piece of several periods is shared with all of them or not at all
    UPDATE chunk
    SET content_key = NULL
    FROM left_chunk
    WHERE chunk.chunk_id = left_chunk.chunk_id AND left_chunk.billing_period = $2::date
      AND chunk.billing_period <> $2::date
), pruned_cancelled AS (
    DELETE FROM chunk_cancelled
    USING left_chunk
    WHERE chunk_cancelled.billing_period = $2::date AND left_chunk.billing_period = $2::date
      AND chunk_cancelled.chunk_id = left_chunk.chunk_id
), pruned_chunk AS (
    DELETE FROM chunk
    USING left_chunk
    WHERE chunk.billing_period = $2::date AND left_chunk.billing_period = $2::date
      AND chunk.chunk_id = left_chunk.chunk_id
), pruned_reject AS (
    DELETE FROM rejected_row
    USING replaced
    WHERE rejected_row.delivery_id = replaced.delivery_id AND rejected_row.billing_period = $2::date
)
INSERT INTO current_load (source, billing_period, load_id)
SELECT source, billing_period, load_id
FROM load
WHERE load_id = $1
ON CONFLICT (source, billing_period) DO UPDATE SET load_id = excluded.load_id;

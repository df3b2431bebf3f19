-- What goes when load $1 replaces the current one of its source and billing period $2: its places, its rejects, and the
-- chunks that no other load has (left_chunk). The load itself stays as a record; one that a closed statement was made of
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
), pruned_invoice AS (
    DELETE FROM chunk_invoice
    USING left_chunk
    WHERE chunk_invoice.billing_period = $2::date AND left_chunk.billing_period = $2::date
      AND chunk_invoice.chunk_id = left_chunk.chunk_id
), pruned_chunk AS (
    DELETE FROM chunk
    USING left_chunk
    WHERE chunk.billing_period = $2::date AND left_chunk.billing_period = $2::date
      AND chunk.chunk_id = left_chunk.chunk_id
)
DELETE FROM rejected_row
USING replaced
WHERE rejected_row.delivery_id = replaced.delivery_id AND rejected_row.billing_period = $2::date;

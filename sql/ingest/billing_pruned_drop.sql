-- Removes load $1 of billing period $2 from its delivery, because its month was pruned: its places
-- and its quarantined rows. Returns its rows, and how many were quarantined. Its chunks then belong
-- to no load (billing_chunks_left.sql).
WITH dropped_place AS (
    DELETE FROM load_chunk WHERE load_id = $1
), dropped_row AS (
    DELETE FROM quarantined_row
    WHERE delivery_id = (SELECT delivery_id FROM load WHERE load_id = $1) AND billing_period = $2::date
    RETURNING 1
)
SELECT row_count, (SELECT count(*) FROM dropped_row) FROM load WHERE load_id = $1;

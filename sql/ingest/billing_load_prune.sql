-- Load $1 is about to replace the current load of its source and billing period $2. Deletes the
-- replaced load's places, its quarantined rows and its sums by account. The load itself stays as a
-- record. A load that a closed statement was made of keeps everything. Chunks without a place stay
-- for a while (billing_chunks_left.sql), but nobody sees their lines.
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
), pruned_content AS (
    DELETE FROM load_content
    USING replaced
    WHERE load_content.load_id = replaced.load_id
)
DELETE FROM quarantined_row
USING replaced
WHERE quarantined_row.delivery_id = replaced.delivery_id AND quarantined_row.billing_period = $2::date;

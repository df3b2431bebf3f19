-- Deletes the chunks of billing period $1 that left_chunk lists.
WITH pruned_line AS (
    DELETE FROM billing_line
    USING left_chunk
    WHERE billing_line.billing_period = $1::date AND billing_line.chunk_id = left_chunk.chunk_id
), pruned_invoice AS (
    DELETE FROM chunk_invoice
    USING left_chunk
    WHERE chunk_invoice.billing_period = $1::date AND chunk_invoice.chunk_id = left_chunk.chunk_id
), pruned_content AS (
    DELETE FROM chunk_content
    USING left_chunk
    WHERE chunk_content.billing_period = $1::date AND chunk_content.chunk_id = left_chunk.chunk_id
), unshared AS ( -- later deliveries share a chunk with all of its periods or not at all
    UPDATE chunk
    SET content_key = NULL
    FROM left_chunk
    WHERE chunk.chunk_id = left_chunk.chunk_id AND chunk.billing_period <> $1::date
)
DELETE FROM chunk
USING left_chunk
WHERE chunk.billing_period = $1::date AND chunk.chunk_id = left_chunk.chunk_id;

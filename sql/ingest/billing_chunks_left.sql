-- The chunks of load $1's source and billing period $2 that no load has any more. There are none
-- until such chunks have a quarter of the rows that the source has in the period: fewer are not
-- worth a scan of the period.
CREATE TEMP TABLE left_chunk ON COMMIT DROP AS
WITH held AS (
    SELECT chunk_id, row_count,
           EXISTS (SELECT
                   FROM load_chunk
                   WHERE load_chunk.chunk_id = chunk.chunk_id AND load_chunk.billing_period = chunk.billing_period) AS is_placed
    FROM chunk
    WHERE source = (SELECT source FROM load WHERE load_id = $1) AND billing_period = $2::date
)
SELECT chunk_id
FROM held
WHERE NOT is_placed
  AND (SELECT 4 * sum(row_count) FILTER (WHERE NOT is_placed) >= sum(row_count) FROM held);

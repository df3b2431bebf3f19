-- The chunks of source $1 that a delivery of it may share, each piece's periods next to each other: the newest $2.
SELECT encode(content_key, 'hex'), chunk_id, billing_period, line_count, last_line, row_count, record_count
FROM chunk
WHERE source = $1 AND content_key IS NOT NULL
ORDER BY chunk_id DESC, billing_period
LIMIT $2;

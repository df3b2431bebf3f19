-- The chunks of source $1 that a delivery of it may share: the newest $2 rows, each chunk's periods
-- next to each other. A chunk that the limit would cut keeps all of its periods: with some of them,
-- lines of the others would be dropped.
SELECT encode(content_key, 'hex'), chunk_id, billing_period, line_count, last_line, row_count, record_count
FROM (SELECT *
      FROM chunk
      WHERE source = $1 AND content_key IS NOT NULL
      ORDER BY chunk_id DESC
      FETCH FIRST $2 ROWS WITH TIES) AS newest
ORDER BY chunk_id DESC, billing_period;

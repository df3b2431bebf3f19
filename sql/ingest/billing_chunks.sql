-- The chunks of source $1 that a delivery may share: the newest $2 rows of chunk. WITH TIES keeps
-- all billing periods of the oldest of these chunks: a delivery that shared only some of them would
-- lose the lines of the others. The rows of a chunk come one after another.
SELECT encode(content_key, 'hex'), chunk_id, billing_period, line_count, last_line, row_count, record_count
FROM (SELECT *
      FROM chunk
      WHERE source = $1 AND content_key IS NOT NULL
      ORDER BY chunk_id DESC
      FETCH FIRST $2 ROWS WITH TIES) AS newest
ORDER BY chunk_id DESC, billing_period;

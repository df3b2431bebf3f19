-- Each archived chunk of a closed month has the hash of its close, and so have all of them. $1 is
-- the month.
WITH chunk AS MATERIALIZED (
    SELECT chunk, cost_centre, content_sha256, sha256(content) = content_sha256 AS is_whole
    FROM closed_part WHERE statement_month = $1::date
), wrong AS (
    SELECT chunk, format('chunk %s of %s: its bytes are not those of the close', chunk, coalesce(nullif(cost_centre, ''), 'nobody')) AS what
    FROM chunk WHERE NOT is_whole
    UNION ALL
    SELECT NULL, 'its chunks are not all those of the close'
    FROM closure
    WHERE statement_month = $1::date
      AND parts_sha256 IS DISTINCT FROM encode(sha256((SELECT coalesce(string_agg(content_sha256, '' ORDER BY chunk), '') FROM chunk)), 'hex')
)
SELECT (SELECT count(*) FROM chunk), (SELECT count(*) FROM wrong), (SELECT what FROM wrong ORDER BY chunk LIMIT 1), NULL;

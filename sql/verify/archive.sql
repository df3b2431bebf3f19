-- A closed month has a Final statement and the record of its close. Each of its archived chunks has
-- the hash stored with it, and all together have the hash of the close. $1 is the month.
WITH chunk AS MATERIALIZED (
    SELECT chunk, cost_centre, content_sha256, sha256(content) = content_sha256 AS is_whole
    FROM closed_part WHERE statement_month = $1::date
), wrong AS (
    SELECT chunk, format('chunk %s of %s: its bytes are not those of the close', chunk, coalesce(nullif(cost_centre, ''), 'nobody')) AS what
    FROM chunk WHERE NOT is_whole
    UNION ALL
    SELECT NULL, CASE WHEN status IS NULL THEN 'the month is closed and has no statement'
                      WHEN closure.statement_month IS NULL THEN 'the statement is Final, and no close is recorded'
                      ELSE 'the month is closed and its statement is ' || status END
    FROM statement
    FULL JOIN closure USING (statement_month)
    WHERE statement_month = $1::date AND (status IS DISTINCT FROM 'Final' OR closure.statement_month IS NULL)
    UNION ALL
    SELECT NULL, 'its chunks are not all those of the close'
    FROM closure
    WHERE statement_month = $1::date
      AND parts_sha256 IS DISTINCT FROM encode(sha256((SELECT coalesce(string_agg(content_sha256, '' ORDER BY chunk), '') FROM chunk)), 'hex')
)
SELECT (SELECT count(*) FROM chunk), (SELECT count(*) FROM wrong), (SELECT what FROM wrong ORDER BY chunk, what COLLATE "C" DESC LIMIT 1), NULL;

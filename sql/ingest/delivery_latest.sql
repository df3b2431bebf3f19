-- The hash and size of the last delivery of kind $1 and source $2 under label $3, and those of
-- other files with the same lines. Also the delivery's id, if this night reads it again
-- (read_again.sql).
WITH latest AS (
    SELECT *, CASE WHEN delivery_id = ANY (nullif(current_setting('kstar.read_again', true), '')::integer[]) THEN delivery_id END AS former
    FROM delivery
    WHERE kind = $1 AND source = $2 AND label = $3
    ORDER BY delivery_id DESC
    LIMIT 1
)
SELECT sha256, (SELECT sum(bytes) FROM source_file WHERE source_file.delivery_id = latest.delivery_id), former FROM latest
UNION ALL
SELECT other_sha256, other_bytes, former FROM latest WHERE other_sha256 IS NOT NULL;

-- What was delivered last by kind $1 and source $2 under label $3: its hash and its size, and those
-- of other files with the same lines; and its id, if it is to be read again by the loader $4.
WITH latest AS (
    SELECT *
    FROM delivery
    WHERE kind = $1 AND source = $2 AND label = $3
    ORDER BY delivery_id DESC
    LIMIT 1
), again AS ( -- none, where the same loader has read it: the view is not asked then
    SELECT (SELECT delivery_id
            FROM delivery_to_read_again
            WHERE kind = $1 AND source = $2 AND label = $3 AND is_of_open_month AND kept_because IS NULL) AS former
    FROM latest
    WHERE loader <> $4
)
SELECT sha256, (SELECT sum(bytes) FROM source_file WHERE source_file.delivery_id = latest.delivery_id), (SELECT former FROM again) FROM latest
UNION ALL
SELECT other_sha256, other_bytes, (SELECT former FROM again) FROM latest WHERE other_sha256 IS NOT NULL;

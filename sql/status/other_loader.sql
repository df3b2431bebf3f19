-- Deliveries of open months that were read by a kstar which reads files in another way ($1: the
-- loader of this kstar). The next night reads them again, except those that have to stay as they
-- are, and those whose files are gone ($2: a JSON array of labels).
SELECT kind   AS "kind",
       source AS "source",
       label  AS "delivery",
       CASE WHEN kept_because IS NOT NULL THEN 'not read again: ' || kept_because
            WHEN label IN (SELECT jsonb_array_elements_text($2::jsonb)) THEN 'not read again: it is not in the inbox'
            ELSE 'the next night reads it again' END AS "why"
FROM delivery_to_read_again
WHERE loader <> $1 AND is_of_open_month
ORDER BY kind, source COLLATE "C", label COLLATE "C";

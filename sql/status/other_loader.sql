-- Deliveries that were read by a kstar that read files otherwise than this one ($1: its loader):
-- what that one did not read is missing still, as known content is not read again.
SELECT kind                     AS "kind",
       source                   AS "source",
       count(*)                 AS "deliveries",
       min(label COLLATE "C")   AS "first",
       max(label COLLATE "C")   AS "last",
       'read by another build of kstar' AS "why"
FROM (SELECT DISTINCT ON (kind, source, label) kind, source, label, loader
      FROM delivery
      ORDER BY kind, source, label, delivery_id DESC) AS latest
WHERE loader <> $1
GROUP BY kind, source
ORDER BY kind, source COLLATE "C";

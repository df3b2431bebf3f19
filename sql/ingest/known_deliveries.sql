-- The hash and size of the last delivery of kind $1 and source $2 under each label. Deliveries that
-- this night reads again (read_again.sql), and labels with a held delivery, are not listed.
SELECT label, sha256, (SELECT sum(bytes) FROM source_file WHERE source_file.delivery_id = latest.delivery_id) AS bytes
FROM (SELECT DISTINCT ON (label) delivery_id, label, sha256
      FROM delivery
      WHERE kind = $1 AND source = $2
      ORDER BY label, delivery_id DESC) AS latest
WHERE delivery_id <> ALL (coalesce(nullif(current_setting('kstar.read_again', true), '')::integer[], '{}'))
  AND label NOT IN (SELECT label FROM held_delivery WHERE source = $2)
ORDER BY label COLLATE "C";

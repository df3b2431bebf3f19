-- What was delivered last by kind $1 and source $2 under label $3: its hash and its size.
SELECT sha256, (SELECT sum(bytes) FROM source_file WHERE source_file.delivery_id = delivery.delivery_id)
FROM delivery
WHERE kind = $1 AND source = $2 AND label = $3
ORDER BY delivery_id DESC
LIMIT 1;

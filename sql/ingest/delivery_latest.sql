-- What was delivered last by kind $1 and source $2 under label $3.
SELECT sha256
FROM delivery
WHERE kind = $1 AND source = $2 AND label = $3
ORDER BY delivery_id DESC
LIMIT 1;

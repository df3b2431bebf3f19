-- Whether the latest delivery of source $1 under label $2 had a CSV with the hash $3. The files
-- that its rows name do not matter here.
SELECT true
FROM (SELECT delivery_id
      FROM delivery
      WHERE kind = 'efficiency' AND source = $1 AND label = $2
      ORDER BY delivery_id DESC
      LIMIT 1) AS latest
JOIN source_file USING (delivery_id)
WHERE source_file.sha256 = $3;

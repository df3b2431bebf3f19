-- Families of the measurements of source $1 under the label $2 that families.csv never had, where
-- it has any, and the first line of each.
SELECT family COLLATE "C" AS family, min(line_number) AS line
FROM measurement
JOIN delivery USING (delivery_id)
WHERE delivery.kind = 'efficiency' AND delivery.source = $1 AND delivery.label = $2
  AND EXISTS (SELECT FROM family)
  AND NOT EXISTS (SELECT FROM family AS declared WHERE declared.family = measurement.family)
GROUP BY 1
ORDER BY 1;

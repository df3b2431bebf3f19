-- Which files are missing from delivery $1, if it has fewer files than the delivery before it of
-- the same kind, source and label. No row: it does not have fewer.
WITH former AS (
    SELECT max(former.delivery_id) AS delivery_id
    FROM delivery
    JOIN delivery AS former USING (kind, source, label)
    WHERE delivery.delivery_id = $1 AND former.delivery_id < delivery.delivery_id
), missing AS (
    SELECT path, row_number() OVER (ORDER BY path COLLATE "C") AS turn
    FROM source_file
    JOIN former USING (delivery_id)
    WHERE path NOT IN (SELECT path FROM source_file WHERE delivery_id = $1)
), counted AS (
    SELECT count(*) FILTER (WHERE delivery_id = $1) AS today, count(*) FILTER (WHERE delivery_id <> $1) AS before
    FROM source_file
    WHERE delivery_id IN (SELECT $1 UNION SELECT delivery_id FROM former)
)
SELECT format('%s files before, %s now; missing: %s', before, today, string_agg(path, ', ' ORDER BY turn) FILTER (WHERE turn <= 5))
       || CASE WHEN count(*) > 5 THEN ' and ' || count(*) - 5 || ' more' ELSE '' END
FROM counted
CROSS JOIN missing
WHERE today < before
GROUP BY before, today;

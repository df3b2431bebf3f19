-- The last delivery under each label.
SELECT DISTINCT ON (kind, source, label)
       kind          AS "kind",
       source        AS "source",
       label         AS "delivery",
       row_count     AS "rows",
       quarantined_rows AS "quarantined"
FROM delivery
ORDER BY kind, source, label, delivery_id DESC;

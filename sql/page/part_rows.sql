-- One part of the cost of cost centre $1 by SKU and day: attempt $2, or component $3 with subject
-- $4. Row 63 adds up the rows after the first 62.
WITH row AS (
    SELECT day, sku, node_hours, minor_units, row_number() OVER (ORDER BY day, sku COLLATE "C") AS place
    FROM report_part
    WHERE cost_centre = $1 AND (attempt_id = $2::bigint OR $2 IS NULL AND component = $3 AND subject = $4)
)
SELECT coalesce(to_char(day, 'FMDD FMMonth'), 'the month') AS day, coalesce(sku, 'not declared') AS sku,
       to_char(node_hours, 'FM999,999,990.00') AS node_hours, pg_temp.page_money(minor_units) AS amount, place
FROM row WHERE place <= 62
UNION ALL
SELECT 'later', format('%s other rows', count(*)), to_char(sum(node_hours), 'FM999,999,990.00'), pg_temp.page_money(sum(minor_units)), 63
FROM row WHERE place > 62 HAVING count(*) > 0
ORDER BY place;

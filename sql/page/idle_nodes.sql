-- The ten idle nodes of pool $1 that cost most, and a last row with the sum of all.
WITH node AS (
    SELECT coalesce(resource_name, resource_id) AS node, resource_id, node_hours, minor_units,
           row_number() OVER (ORDER BY minor_units DESC, resource_id COLLATE "C", resource_name COLLATE "C") AS place
    FROM statement_idle
    WHERE statement_month = current_setting('kstar.statement_month')::date AND pool = $1
)
SELECT node, resource_id, to_char(node_hours, 'FM999,999,999,990.0') AS node_hours, pg_temp.page_money(minor_units) AS amount, place, false AS is_total
FROM node WHERE place <= 10
UNION ALL
SELECT CASE WHEN count(*) > 10 THEN format('Together, with %s other node%s', count(*) - 10, CASE count(*) WHEN 11 THEN '' ELSE 's' END)
            ELSE 'Together' END, NULL,
       to_char(sum(node_hours), 'FM999,999,999,990.0'), pg_temp.page_money(sum(minor_units)), 11, true
FROM node
HAVING count(*) > 0
ORDER BY place;

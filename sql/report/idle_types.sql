-- Sheet "Shared and idle": for each type, how many nodes nobody held, and for how long. A cost
-- centre's workbook has the pools that it pays or owns.
SELECT coalesce(pool, 'unallocated: idle node without pool') AS pool, coalesce(node_type, '(not known)') AS node_type,
       count(*) AS nodes, sum(node_hours) AS node_hours, sum(minor_units)::bigint AS minor_units
FROM statement_idle
WHERE statement_month = current_setting('kstar.statement_month')::date
  AND (current_setting('kstar.cost_centre') = '' OR pool IN (SELECT pool FROM report_pool_seen WHERE cost_centre = current_setting('kstar.cost_centre')))
GROUP BY pool, node_type
ORDER BY sum(minor_units) DESC, pool COLLATE "C", node_type COLLATE "C";

-- Sheet "Idle and unused": what nobody held of each billed node, and what that cost before its pool was split.
SELECT coalesce(pool, 'unallocated: idle node without pool') AS pool, resource_name, resource_id, node_hours, minor_units
FROM statement_idle
WHERE statement_month = current_setting('kstar.statement_month')::date
ORDER BY minor_units DESC, resource_id COLLATE "C", resource_name COLLATE "C", pool COLLATE "C";

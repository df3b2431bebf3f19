-- Sheet "Shared and idle": the time of each billed node that nobody held, and its cost before the
-- split of its pool. A cost centre's workbook has the pools that it owns.
SELECT coalesce(pool, 'unallocated: idle node without pool') AS pool, resource_name, resource_id, node_type, is_held, node_hours, minor_units
FROM statement_idle
WHERE statement_month = current_setting('kstar.statement_month')::date
  AND (current_setting('kstar.cost_centre') = '' OR pool IN (SELECT pool FROM report_pool_seen WHERE cost_centre = current_setting('kstar.cost_centre') AND is_owner))
ORDER BY minor_units DESC, resource_id COLLATE "C", resource_name COLLATE "C", pool COLLATE "C";

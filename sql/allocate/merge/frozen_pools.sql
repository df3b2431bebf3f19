-- Who pays for idle is a choice: of a day of a closed month, and in a replay of any other day, the pool that was
-- frozen with it: the node's own rows, by valid_from, else its type's pool, else its cluster's (docs/close.md).
DECLARE catalogue NO SCROLL CURSOR FOR
SELECT presence_no, statement_month, true AS is_of_node, frozen.valid_from, frozen.idle_pool, 1 AS turn
FROM node_resource
JOIN frozen_idle_pool AS frozen USING (cluster, node, resource_id)
UNION ALL
SELECT presence_no, statement_month, false, NULL, frozen.idle_pool,
       CASE WHEN frozen.idle_pool IS NULL THEN 4 WHEN frozen.node_type = '' THEN 3 ELSE 2 END
FROM node_resource
JOIN frozen_type_pool AS frozen USING (cluster)
WHERE source IS NOT NULL AND frozen.node_type IN ('', coalesce(node_resource.node_type, ''))
ORDER BY presence_no, statement_month, turn, valid_from

-- Inventory rows of the billed resources, in the order of their numbers (07_nodes.sql).
DECLARE catalogue NO SCROLL CURSOR FOR
SELECT resource_key, cluster, node, valid_from, valid_to, coalesce(horizon, '-infinity'), accelerators::bigint * 1000000, cpus::bigint * 1000000,
       idle_pool, cluster || '/' || node
FROM node_resource
LEFT JOIN recorded_cluster USING (cluster)
ORDER BY presence_no

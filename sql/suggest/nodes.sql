-- Nodes that a resource of the bill is named after: by ResourceName, or by what follows the last
-- '/' of its id. One resource for one node of one cluster.
WITH held AS (
    SELECT run.cluster, node, sum(node_hours) AS node_hours
    FROM run
    JOIN kstar.job_node USING (attempt_id)
    WHERE NOT EXISTS (SELECT FROM kstar.node_inventory AS known WHERE known.cluster = run.cluster AND known.node = job_node.node)
    GROUP BY run.cluster, node
), named AS (
    SELECT resource_id, lower(name) AS name, sum(amount) AS amount, min(currency) AS currency
    FROM cost
    CROSS JOIN LATERAL (SELECT resource_name UNION SELECT regexp_replace(resource_id, '^.*/', '')) AS known (name)
    WHERE resource_id IS NOT NULL AND name IS NOT NULL
    GROUP BY resource_id, lower(name)
), pair AS (
    SELECT cluster, node, resource_id, amount, currency, node_hours,
           count(*) OVER (PARTITION BY cluster, node) AS resources, count(*) OVER (PARTITION BY resource_id) AS nodes
    FROM held
    JOIN named ON name = lower(node)
)
SELECT format('%s %s, %s node-hours of jobs on it and others', currency, to_char(round(amount, 2), 'FM999,999,999,990.00'), round(node_hours, 1)) AS worth,
       cluster, node, resource_id, '' AS node_type, '' AS accelerators, '' AS cpus, '' AS idle_pool, '' AS valid_from, '' AS valid_to
FROM pair
WHERE resources = 1 AND nodes = 1
ORDER BY amount DESC, cluster COLLATE "C", node COLLATE "C";

-- Nodes with the name of a resource on the bill: its ResourceName, or what follows the last '/' of
-- its id. Only pairs of one resource and one node count. A disk with the name of its machine does
-- not count. Resources that rules cover do count, because rules take no cost from nodes.
WITH held_by_jobs AS (
    SELECT run.cluster, node, sum(node_hours) AS node_hours
    FROM run
    JOIN kstar.job_node USING (attempt_id)
    GROUP BY run.cluster, node
), held AS (
    SELECT *
    FROM held_by_jobs
    WHERE NOT EXISTS (SELECT FROM kstar.node_inventory AS known WHERE (known.cluster, known.node) = (held_by_jobs.cluster, held_by_jobs.node))
), cost_of_name AS (
    SELECT resource_id, lower(name) AS name, currency, sum(amount) AS amount,
           bool_or(service_category IN ('Compute', 'AI and Machine Learning')) AS is_machine
    FROM cost
    CROSS JOIN LATERAL (SELECT resource_name UNION SELECT regexp_replace(resource_id, '^.*/', '')) AS known (name)
    WHERE resource_id IS NOT NULL AND name IS NOT NULL AND cost_id NOT IN (SELECT cost_id FROM node_cost)
    GROUP BY resource_id, lower(name), currency
), named AS (
    SELECT resource_id, name, string_agg(pg_temp.money(currency, amount), ', ' ORDER BY currency) AS worth, sum(amount) AS amount,
           bool_or(is_machine) AS is_machine
    FROM cost_of_name
    GROUP BY resource_id, name
), pair AS (
    SELECT cluster, node, resource_id, worth, amount, node_hours, is_machine, bool_or(is_machine) OVER (PARTITION BY cluster, node) AS has_machine
    FROM held
    JOIN named ON name = lower(node)
), candidate AS (
    SELECT *, count(*) OVER (PARTITION BY cluster, node) AS resources, count(*) OVER (PARTITION BY resource_id) AS nodes
    FROM pair
    WHERE is_machine OR NOT has_machine
)
SELECT format('%s, %s node-hours of jobs on it and others', worth, round(node_hours, 1)) AS worth,
       cluster, node, resource_id, '' AS node_type, '' AS accelerators, '' AS cpus, '' AS idle_pool, '' AS valid_from, '' AS valid_to
FROM candidate
WHERE resources = 1 AND nodes = 1
ORDER BY amount DESC, cluster COLLATE "C", node COLLATE "C";

-- p, what overhead by node-hours costs besides, and f of a family over the month, and what most of its hardware was: what its curve and its K* are drawn at.
SELECT family,
       sum(hardware) * 3600 / nullif(sum(hardware * 3600 / nullif(price_per_k_hour, 0)), 0) AS price_per_k_hour,
       coalesce(sum(fixed_by_node_hours) / nullif(sum(node_hours / nullif(nodes_per_k, 0)), 0), 0)      AS overhead_per_k_hour,
       sum(fixed_per_wall_hour * wall_hours) / nullif(sum(wall_hours), 0)                    AS fixed_per_wall_hour,
       max(waiting_cost_per_hour)                                                            AS waiting_cost_per_hour,
       CASE WHEN 2 * sum(hardware) FILTER (WHERE capacity = 'spot') > sum(hardware) THEN 'spot' ELSE 'on demand' END   AS capacity
FROM job_cost
WHERE family IS NOT NULL
GROUP BY family
ORDER BY family COLLATE "C";

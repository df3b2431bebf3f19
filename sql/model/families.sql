-- The declared families of the month and their limits, by name in byte order.
SELECT family, unit, coalesce(accelerators_per_node, 0), minimum_k, coalesce(maximum_k, 0), coalesce(allowed_k, ''),
       goal_work_constant
FROM family_of_month
ORDER BY family COLLATE "C";

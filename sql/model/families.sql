-- The declared families of the month and their limits.
SELECT DISTINCT ON (family) family, unit, coalesce(accelerators_per_node, 0), minimum_k, coalesce(maximum_k, 0),
       coalesce(allowed_k, ''), goal_work_constant
FROM family CROSS JOIN month
WHERE valid_from <= last_day AND last_day < valid_to
ORDER BY family COLLATE "C", valid_from DESC;

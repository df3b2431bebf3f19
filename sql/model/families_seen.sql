-- As families.sql, for a reader: families of the reader's jobs in the last twelve months of
-- statements.
SELECT DISTINCT ON (family COLLATE "C") family, unit, coalesce(accelerators_per_node, 0), minimum_k, coalesce(maximum_k, 0), coalesce(allowed_k, ''),
       goal_work_constant
FROM kstar_views.report_family
WHERE statement_month > (SELECT max(statement_month) - interval '12 months' FROM kstar_views.report_month)
ORDER BY family COLLATE "C", statement_month DESC;

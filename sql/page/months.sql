-- True cost of each month by group of components, for everybody or for one cost centre.
SELECT to_char(statement_month, 'YYYY-MM') AS period, to_char(statement_month, 'Mon') AS month, to_char(statement_month, 'FMMonth YYYY') AS month_name,
       part,
       (ARRAY['Useful compute', 'Coordination waste', 'Failed and cancelled', 'Other direct cost', 'Overhead and shared', 'Internal overhead'])[part] AS part_name,
       sum(minor_units)::bigint AS minor_units
FROM report_month_cost
CROSS JOIN LATERAL pg_temp.component_group(component_no) AS part
WHERE current_setting('kstar.cost_centre') IN ('', cost_centre)
GROUP BY statement_month, part
ORDER BY statement_month, part;

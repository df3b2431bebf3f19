-- The figures below the pictures of the twelve months.
SELECT to_char(statement_month, 'FMMonth YYYY') AS month_name,
       pg_temp.page_money(coalesce(sum(minor_units) FILTER (WHERE part = 1), 0)) AS part_1,
       pg_temp.page_money(coalesce(sum(minor_units) FILTER (WHERE part = 2), 0)) AS part_2,
       pg_temp.page_money(coalesce(sum(minor_units) FILTER (WHERE part = 3), 0)) AS part_3,
       pg_temp.page_money(coalesce(sum(minor_units) FILTER (WHERE part = 4), 0)) AS part_4,
       pg_temp.page_money(coalesce(sum(minor_units) FILTER (WHERE part = 5), 0)) AS part_5,
       pg_temp.page_money(coalesce(sum(minor_units) FILTER (WHERE part = 6), 0)) AS part_6,
       pg_temp.page_money(sum(minor_units)) AS true_cost
FROM report_month_cost
CROSS JOIN LATERAL pg_temp.component_group(component_no) AS part
WHERE current_setting('kstar.cost_centre') IN ('', cost_centre)
GROUP BY statement_month
ORDER BY statement_month DESC;

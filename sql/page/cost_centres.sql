-- True cost by cost centre and group of components, the dearest first. The last row is the sum.
WITH cost AS (
    SELECT cost_centre, max(cost_centre_name) AS cost_centre_name, grouping(cost_centre) = 1 AS is_total, sum(minor_units)::bigint AS true_minor,
           coalesce(sum(minor_units) FILTER (WHERE part = 1), 0)::bigint AS minor_1, coalesce(sum(minor_units) FILTER (WHERE part = 2), 0)::bigint AS minor_2,
           coalesce(sum(minor_units) FILTER (WHERE part = 3), 0)::bigint AS minor_3, coalesce(sum(minor_units) FILTER (WHERE part = 4), 0)::bigint AS minor_4,
           coalesce(sum(minor_units) FILTER (WHERE part = 5), 0)::bigint AS minor_5, coalesce(sum(minor_units) FILTER (WHERE part = 6), 0)::bigint AS minor_6
    FROM report_line
    CROSS JOIN LATERAL pg_temp.component_group(component_no) AS part
    WHERE section IN (1, 6) AND current_setting('kstar.cost_centre') IN ('', cost_centre)
    GROUP BY GROUPING SETS ((cost_centre), ())
)
SELECT CASE WHEN is_total THEN 'Together' ELSE concat_ws(' · ', cost_centre, cost_centre_name) END AS title, cost_centre,
       pg_temp.shell_word(cost_centre) AS shell_name, is_total,
       minor_1, minor_2, minor_3, minor_4, minor_5, minor_6, true_minor,
       pg_temp.page_money(minor_1) AS part_1, pg_temp.page_money(minor_2) AS part_2, pg_temp.page_money(minor_3) AS part_3,
       pg_temp.page_money(minor_4) AS part_4, pg_temp.page_money(minor_5) AS part_5, pg_temp.page_money(minor_6) AS part_6,
       pg_temp.page_money(true_minor) AS true_cost
FROM cost
WHERE true_minor IS NOT NULL
ORDER BY is_total, true_minor DESC, cost_centre COLLATE "C";

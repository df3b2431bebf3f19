-- Idle nodes and unused commitments by pool. Everybody's page has each pool's owner and whole cost.
-- A cost centre's page has its own part, with its weight and the pool's.
SELECT *
FROM (
SELECT component.title AS component, row.pool, pg_temp.page_money(row.minor_units) AS amount,
       CASE WHEN current_setting('kstar.cost_centre') = '' OR owner = current_setting('kstar.cost_centre') THEN owner END AS owner,
       part.weight_text, to_char(nodes.node_hours, 'FM999,999,999,990.0') AS node_hours, nodes.nodes::text AS nodes, false AS is_total, row.minor_units,
       CASE WHEN current_setting('kstar.cost_centre') = '' OR owner = current_setting('kstar.cost_centre') THEN row.pool END AS shown_nodes_of
FROM (SELECT component, coalesce(pool, row_key) AS pool, sum(minor_units)::bigint AS minor_units
      FROM statement_sum
      WHERE statement_month = current_setting('kstar.statement_month')::date AND current_setting('kstar.cost_centre') IN ('', cost_centre)
        AND block = 'invoice' AND line_type = 'charge' AND component IN ('idle', 'unused_commitments')
      GROUP BY component, coalesce(pool, row_key)) AS row
JOIN component USING (component)
LEFT JOIN LATERAL (SELECT owner FROM stated_pool WHERE statement_month = current_setting('kstar.statement_month')::date AND stated_pool.pool = row.pool
                     AND valid_from < statement_month + interval '1 month' ORDER BY valid_from DESC LIMIT 1) AS declared ON true
LEFT JOIN LATERAL (SELECT trim_scale(round(weight, 1)) || ' of ' || trim_scale(round(pool_weight, 1)) AS weight_text
                   FROM report_pool_part AS part
                   WHERE part.pool = row.pool AND part.cost_centre = nullif(current_setting('kstar.cost_centre'), '') AND weight IS NOT NULL) AS part ON true
LEFT JOIN LATERAL (SELECT sum(node_hours) AS node_hours, count(DISTINCT resource_id) AS nodes FROM statement_idle
                   WHERE statement_month = current_setting('kstar.statement_month')::date AND statement_idle.pool = row.pool
                   HAVING count(*) > 0) AS nodes ON row.component = 'idle'
UNION ALL
SELECT NULL, 'Together', pg_temp.page_money(sum(minor_units)), NULL, NULL, NULL, NULL, true, NULL, NULL
FROM statement_sum
WHERE statement_month = current_setting('kstar.statement_month')::date AND current_setting('kstar.cost_centre') IN ('', cost_centre)
  AND block = 'invoice' AND line_type = 'charge' AND component IN ('idle', 'unused_commitments')
HAVING count(*) > 0) AS pool
ORDER BY is_total, minor_units DESC, pool.pool COLLATE "C", component COLLATE "C";

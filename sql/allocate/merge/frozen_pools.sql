-- Who pays for idle time of a closed month was frozen at its close (01_rules.sql,
-- docs/late-facts.md). In this order: the node's own frozen row that began last, or else the first
-- one; the row of its type; the row of its cluster. A slot takes the pool of the first of these
-- spans in which it begins. If there is none, today's pool counts. Nested loops are off because
-- PostgreSQL expects one row here and would compare each node with all closed months.
SET LOCAL enable_nestloop = off;

DECLARE catalogue NO SCROLL CURSOR FOR
WITH own AS ( -- the last of the rows that have begun when the node begins
    SELECT DISTINCT ON (presence_no, statement_month, begun) presence_no, statement_month, begun, frozen.idle_pool
    FROM node_resource
    JOIN frozen_idle_pool AS frozen USING (cluster, node, resource_id)
    CROSS JOIN LATERAL (SELECT greatest(frozen.valid_from, node_resource.valid_from)) AS here (begun)
    ORDER BY presence_no, statement_month, begun, frozen.valid_from DESC
), span AS (
    SELECT presence_no, statement_month, 1 AS turn, idle_pool,
           CASE row_number() OVER one_node WHEN 1 THEN '-infinity' ELSE begun END AS pool_from, lead(begun, 1, 'infinity') OVER one_node AS pool_to
    FROM own
    WINDOW one_node AS (PARTITION BY presence_no, statement_month ORDER BY begun)
    UNION ALL
    SELECT presence_no, statement_month, CASE WHEN frozen.idle_pool IS NULL THEN 4 WHEN frozen.node_type = '' THEN 3 ELSE 2 END, frozen.idle_pool,
           '-infinity', 'infinity'
    FROM node_resource
    JOIN frozen_type_pool AS frozen USING (cluster)
    WHERE source IS NOT NULL AND frozen.node_type IN ('', coalesce(node_resource.node_type, ''))
)
SELECT presence_no, greatest(pool_from, lower(choice)::timestamptz), least(pool_to, upper(choice)::timestamptz), idle_pool
FROM span
JOIN choice_days USING (statement_month)
CROSS JOIN unnest(days) AS choice
ORDER BY presence_no, turn;

SET LOCAL enable_nestloop TO DEFAULT;

-- Who pays for idle is a choice, too (01_rules.sql): by the rows of the node that were frozen, of
-- which the last that has begun counts, or the first; else by its type's, else by its cluster's
-- (docs/late-facts.md). A slot has the pool of the first of these spans that it begins in; if it
-- begins in none, today's. PostgreSQL expects one row of a node here, and would compare each with
-- all closed months: it is to hash them.
SET LOCAL enable_nestloop = off;

DECLARE catalogue NO SCROLL CURSOR FOR
WITH own AS ( -- of the rows that have begun when the node does, the last
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

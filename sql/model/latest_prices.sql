-- p and overhead by the node-hour of one K, f without the cost of waiting, that cost, and how the
-- hardware was bought, for each family. They are of the latest statement with priced jobs of the
-- family, in currency $1 (null: that of the latest statement).
SELECT DISTINCT ON (family COLLATE "C") family, price_per_node_hour, overhead_per_node_hour, greatest(fixed_per_wall_hour - waiting_per_hour, 0), waiting_per_hour,
       to_char(statement_month, 'YYYY-MM'), capacity, series, statement_currency
FROM family_fit
JOIN statement USING (statement_month)
WHERE price_per_node_hour IS NOT NULL
  AND statement_currency = coalesce($1, (SELECT statement_currency FROM statement ORDER BY statement_month DESC LIMIT 1))
ORDER BY family COLLATE "C", statement_month DESC;

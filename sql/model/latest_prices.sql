-- p, of one K, f and what they are paid for, of each family in the latest statement that has jobs of it with a price.
SELECT DISTINCT ON (family COLLATE "C") family, price_per_node_hour, fixed_per_wall_hour, to_char(statement_month, 'YYYY-MM'), capacity
FROM family_fit
WHERE price_per_node_hour IS NOT NULL
ORDER BY family COLLATE "C", statement_month DESC;

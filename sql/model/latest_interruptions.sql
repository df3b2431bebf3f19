-- The interruption rates of each family in the latest statement with priced jobs of the family.
-- Currency and fit do not matter: the rates are of the family, and no money. Columns as in
-- interruptions.sql.
SELECT family, capacity, rate_per_k_hour, checkpoint_hours, restart_hours, rate_per_node_hour, rate_from, failures,
       trim_scale(round(node_hours, 1)) AS node_hours
FROM family_interruption
JOIN (SELECT jobs_family AS family, max(statement_month) AS statement_month
      FROM family_fit
      WHERE price_per_node_hour IS NOT NULL
      GROUP BY 1) AS latest USING (family, statement_month)
ORDER BY family COLLATE "C", capacity;

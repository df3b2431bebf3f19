-- What interrupts the jobs of each family in the latest statement that has jobs of it with a price, in any currency: rates are no money.
-- The columns are those of interruptions.sql.
SELECT family, capacity, rate_per_k_hour, checkpoint_hours, restart_hours, rate_per_node_hour, rate_from, failures,
       trim_scale(round(node_hours, 1)) AS node_hours
FROM family_interruption
JOIN (SELECT family, max(statement_month) AS statement_month
      FROM family_fit
      WHERE price_per_node_hour IS NOT NULL
      GROUP BY family) AS latest USING (family, statement_month)
ORDER BY family COLLATE "C", capacity;

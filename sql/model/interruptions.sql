-- The interruption rates of each family in the month.
SELECT family, capacity, rate_per_k_hour, checkpoint_hours, restart_hours, rate_per_node_hour, rate_from, failures,
       trim_scale(round(node_hours, 1)) AS node_hours
FROM family_interruption JOIN month USING (statement_month)
ORDER BY family COLLATE "C", capacity;

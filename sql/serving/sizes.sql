-- The replica counts from which the model chooses, fleet by fleet. A fleet without measurements has
-- one row without replicas.
SELECT fleet, price_per_replica_hour, fixed_per_hour, latency_limit_ms, replicas, tokens_per_second, latency_ms
FROM serving_cost
JOIN month USING (statement_month)
LEFT JOIN serving_size USING (statement_month, fleet)
ORDER BY fleet COLLATE "C", replicas;

-- The measured replica counts of the month's serving fleets.
SELECT fleet, replicas::bigint AS replicas, tokens_per_second, latency_ms,
       CASE WHEN is_within IS NULL THEN '' WHEN is_within THEN 'yes' ELSE 'no' END AS within_limit,
       trim_scale(hour_cost) AS cost_per_hour, million_tokens AS cost_per_million_tokens
FROM serving_priced
WHERE statement_month = current_setting('kstar.statement_month')::date AND current_setting('kstar.cost_centre') IN ('', cost_centre)
ORDER BY fleet COLLATE "C", replicas;

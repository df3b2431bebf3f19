-- Each serving fleet of the month: the cheapest measured count within its limit beside the one with
-- the highest throughput.
SELECT fleet, cost_centre, outcome, cheapest::bigint AS cheapest_replicas, cheapest_million AS cost_per_million_tokens,
       cheapest_latency_ms AS latency_ms, highest_throughput::bigint AS highest_throughput_replicas,
       highest_million AS its_cost_per_million_tokens, highest_latency_ms AS its_latency_ms, latency_limit_ms AS limit_ms, statement_currency AS currency, sentence
FROM serving_comparison
WHERE statement_month = current_setting('kstar.statement_month')::date AND current_setting('kstar.cost_centre') IN ('', cost_centre)
ORDER BY fleet COLLATE "C";

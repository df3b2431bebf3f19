-- Sheet "Serving fleets": each fleet, its price, and the cheapest measured count beside the one
-- with the highest throughput.
SELECT dense_rank() OVER (ORDER BY fleet COLLATE "C") AS fleet_no, fleet, cost_centre, price_per_replica_hour, price_from, fixed_per_hour,
       'p' || latency_percentile AS percentile, latency_limit_ms, cheapest, cheapest_million, cheapest_latency_ms, highest_throughput,
       highest_million, highest_latency_ms, highest_dearer, sentence
FROM serving_comparison
WHERE statement_month = current_setting('kstar.statement_month')::date AND current_setting('kstar.cost_centre') IN ('', cost_centre)
ORDER BY fleet COLLATE "C";

-- Sheet "Serving fleets": the measured replica counts.
SELECT fleet_no, fleet, replicas, tokens_per_second, latency_ms, is_within, hour_cost, million_tokens,
       nullif(concat_ws(', ', CASE WHEN replicas = cheapest THEN 'cheapest' END,
                        CASE WHEN replicas = highest_throughput THEN 'highest throughput' END,
                        CASE WHEN replicas = quickest THEN 'quickest' END), '') AS mark
FROM (SELECT dense_rank() OVER (ORDER BY fleet COLLATE "C") AS fleet_no, fleet, statement_month, cheapest, highest_throughput, quickest
      FROM serving_cost
      WHERE statement_month = current_setting('kstar.statement_month')::date AND current_setting('kstar.cost_centre') IN ('', cost_centre)
     ) AS fleet
JOIN serving_priced USING (statement_month, fleet)
ORDER BY fleet COLLATE "C", replicas;

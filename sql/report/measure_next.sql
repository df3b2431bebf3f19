-- Sheet "Measure next": families whose verdicts would gain most from a measurement, dearest first.
-- Hours are added as decimals, so that their order cannot matter. What did not run in the month,
-- and only has cost of another one's hours, no measurement would judge.
SELECT coalesce(family, '(no family)') AS family, count(*) FILTER (WHERE is_one) AS jobs, sum(node_hours::numeric) AS node_hours,
       sum(coalesce(cost_minor, useful_compute_minor + coordination_waste_minor + unmeasured_hardware_minor))::bigint AS cost_minor,
       count(*) FILTER (WHERE is_one AND verdict = 'not measured') AS not_measured,
       count(*) FILTER (WHERE is_one AND verdict = 'extrapolated') AS extrapolated,
       count(*) FILTER (WHERE is_one AND low_confidence) AS low_confidence,
       min(k) AS smallest_k, max(k) AS largest_k,
       coalesce(min(next_measurement) FILTER (WHERE is_unsure AND next_measurement NOT LIKE 'nothing%'),
                min(next_measurement) FILTER (WHERE is_unsure),
                'run time of the same work at three or more node counts, K = 1 included') AS next_measurement
FROM job_result
-- a heterogeneous job is one
CROSS JOIN LATERAL (SELECT coalesce(judged_with, attempt_id) = attempt_id) AS counted (is_one)
CROSS JOIN LATERAL (SELECT verdict IN ('not measured', 'extrapolated') OR low_confidence) AS judged (is_unsure)
WHERE statement_month = current_setting('kstar.statement_month')::date AND outcome <> 'not started'
  AND (wall_hours > 0 OR price_per_node_hour IS NOT NULL)
GROUP BY coalesce(family, '(no family)')
HAVING bool_or(is_unsure)
ORDER BY 4 DESC, 1;

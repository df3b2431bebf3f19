-- Sheet "Verdicts": all jobs of the month by verdict, so that jobs without a flag are accounted
-- for, too. A heterogeneous job counts as one.
SELECT verdict, count(*) FILTER (WHERE coalesce(judged_with, attempt_id) = attempt_id) AS jobs, sum(cost_minor)::bigint AS cost_minor,
       coalesce(sum(excess_minor) FILTER (WHERE is_flag(verdict)), 0)::bigint AS excess_minor,
       coalesce(sum(cash_saving_minor) FILTER (WHERE is_flag(verdict)), 0)::bigint AS cash_saving_minor,
       coalesce(sum(freed_capacity_minor) FILTER (WHERE is_flag(verdict)), 0)::bigint AS freed_capacity_minor,
       coalesce(sum(others_overhead_minor) FILTER (WHERE is_flag(verdict)), 0)::bigint AS others_overhead_minor
FROM job_result
WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date)
GROUP BY verdict
ORDER BY array_position(ARRAY['above K*', 'above, within measurement error', 'below K*', 'below, within measurement error', 'below, shared cost alone', 'near K*', 'inside the band',
                              'at K*', 'extrapolated',
                              'not measured'], verdict), verdict COLLATE "C";

-- Sheet "Jobs": one row per attempt, the dearest first. Everybody's workbook lists only the
-- dearest. MATERIALIZED: jobs may lie on other servers, and then Citus plans neither an outer join
-- nor a sort.
WITH listed AS MATERIALIZED (
    SELECT result.*, job_energy.unpowered_node_hours, job_energy.kwh, job_energy.kg_co2e
    FROM scope_result AS result
    LEFT JOIN job_energy USING (statement_month, attempt_id)
    WHERE attempt_id IN (SELECT attempt_id FROM scope_place WHERE is_listed OR current_setting('kstar.cost_centre') <> '')
), named AS MATERIALIZED (
    SELECT attempt_id, cluster, job_id, attempt_mark, run_group, job_name, user_name, account
    FROM job
    WHERE attempt_id = ANY (ARRAY(SELECT attempt_id FROM listed))
)
SELECT result.cost_centre, job.job_id, job.attempt_mark, job.run_group, job.job_name, job.user_name, job.account,
       job.cluster, result.family, result.state_text, result.outcome, result.start_time, result.end_time, result.provisional, result.k,
       result.node_hours, result.wall_hours, result.unpriced_node_hours, result.internal_node_hours, result.price_per_node_hour,
       result.overhead_per_node_hour, result.fixed_per_wall_hour, result.efficiency, round(1 / nullif(result.efficiency, 0) - 1, 9) AS coordination_inefficiency,
       result.efficiency_from,
       result.useful_compute_minor, result.coordination_waste_minor, result.unmeasured_hardware_minor,
       result.failed_runs_minor, result.cancelled_minor, result.cloud_fees_minor, result.fixed_overhead_minor,
       result.internal_overhead_minor, result.engineering_overhead_minor, result.true_cost_minor,
       CASE WHEN result.cost_centre IS NULL THEN 0 ELSE result.true_cost_minor END AS charged_minor,
       result.verdict, result.verdict_reason, result.low_confidence, result.k_star, result.k_least_money, result.k_with_waiting, result.waiting_per_hour, result.k_star_interval,
       result.k_fastest, result.cost_minor, result.cost_at_k_star_minor,
       -- Only flagged jobs show the money of a flag. Other jobs show their verdict alone.
       CASE WHEN is_flagged THEN result.excess_minor END AS excess_minor,
       CASE WHEN is_flagged THEN result.cash_saving_minor END AS cash_saving_minor,
       CASE WHEN is_flagged THEN result.freed_capacity_minor END AS freed_capacity_minor,
       CASE WHEN is_flagged THEN result.others_overhead_minor END AS others_overhead_minor,
       CASE WHEN is_flagged AND can_be_resized AND NOT result.low_confidence THEN result.cash_saving_minor END AS sure_cash_minor,
       CASE WHEN is_flagged AND can_be_resized AND result.low_confidence THEN result.cash_saving_minor END AS unsure_cash_minor,
       CASE WHEN is_flagged AND can_be_resized THEN result.freed_capacity_minor END AS attainable_capacity_minor,
       result.job_hours, result.job_hours_at_k_star, result.deadline_hours, result.deadline_k, result.waiver,
       result.next_measurement, result.unpowered_node_hours, result.kwh, result.kg_co2e
FROM listed AS result
JOIN named AS job USING (attempt_id)
CROSS JOIN LATERAL (SELECT is_flag(verdict), result.is_attainable)
           AS flagged (is_flagged, can_be_resized)
ORDER BY result.true_cost_minor DESC, result.attempt_id;

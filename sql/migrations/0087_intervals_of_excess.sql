-- The 95 % interval of a flag's excess, in money: the shares that the model found x what the job cost. Null: nothing tells it, or published before.
ALTER TABLE job_result
    ADD COLUMN excess_low_minor  bigint,
    ADD COLUMN excess_high_minor bigint,
    -- of a component of a heterogeneous job what is left by the components before it: the ends may be a cent off there
    ADD CHECK (judged_with IS NOT NULL OR excess_low_minor <= excess_high_minor);

-- Of an amount that comes after `before` the share in minor units: what is up to its end less what is before it. So the components of a heterogeneous
-- job together round to what the job does.
CREATE FUNCTION part_in_minor(share double precision, before numeric, amount numeric, unit numeric) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (round((before + amount) * round(share::numeric, 12) * unit) - round(before * round(share::numeric, 12) * unit))::bigint;

-- As 0085 has it, with the interval of the excess.
CREATE OR REPLACE VIEW flagged_job AS
SELECT statement_month, attempt_id, cost_centre, family, whole.outcome, whole.provisional, k, efficiency, k_star, k_star_interval, verdict_reason,
       low_confidence, next_measurement, whole.cost_minor, whole.cost_at_k_star_minor, whole.excess_minor, whole.cash_saving_minor,
       whole.freed_capacity_minor, job_hours, job_hours_at_k_star, deadline_hours, deadline_k, waiver, judged_with, whole.is_part,
       verdict, waiting_per_hour, k_least_money, k_with_waiting, whole.others_overhead_minor,
       is_attainable(waiver, job_hours, job_hours_at_k_star, deadline_hours) AS is_attainable,
       CASE WHEN job_hours_at_k_star > job_hours
            THEN whole.excess_minor / ((job_hours_at_k_star - job_hours) * CASE WHEN whole.is_part THEN whole.wall_hours / job_hours ELSE 1 END)
       END AS break_even_minor, whole.excess_low_minor, whole.excess_high_minor
FROM job_result
JOIN (SELECT statement_month, coalesce(judged_with, attempt_id) AS attempt_id,
             CASE WHEN bool_or(outcome = 'failed') THEN 'failed' WHEN bool_or(outcome = 'cancelled') THEN 'cancelled' ELSE 'productive' END AS outcome,
             bool_or(provisional) AS provisional,
             sum(cost_minor)::bigint AS cost_minor, sum(cost_at_k_star_minor)::bigint AS cost_at_k_star_minor,
             sum(excess_minor)::bigint AS excess_minor, sum(cash_saving_minor)::bigint AS cash_saving_minor,
             sum(freed_capacity_minor)::bigint AS freed_capacity_minor, sum(others_overhead_minor)::bigint AS others_overhead_minor,
             sum(excess_low_minor)::bigint AS excess_low_minor, sum(excess_high_minor)::bigint AS excess_high_minor,
             nullif(sum(wall_hours::numeric), 0)::double precision AS wall_hours,
             bool_or(start_time < month_start OR coalesce(end_time, start_time + job_hours * interval '1 hour') > month_end) AS is_part
      FROM job_result
      CROSS JOIN LATERAL (SELECT statement_month::timestamp AT TIME ZONE 'UTC', (statement_month + interval '1 month') AT TIME ZONE 'UTC')
                 AS month (month_start, month_end)
      WHERE is_flag(verdict)
      GROUP BY statement_month, coalesce(judged_with, attempt_id)) AS whole USING (statement_month, attempt_id);

-- As 0085 has it, with the interval of the excess.
CREATE OR REPLACE VIEW kstar_views.report_job WITH (security_barrier) AS
SELECT statement_month, as_shown(status) AS status, as_shown(cost_centre) AS cost_centre, as_shown(cluster) AS cluster, as_shown(job_id) AS job_id,
       as_shown(attempt_mark) AS attempt_mark, as_shown(run_group) AS run_group, as_shown(job_name) AS job_name, as_shown(user_name) AS user_name,
       as_shown(account) AS account, as_shown(family) AS family, as_shown(state) AS state, as_shown(outcome) AS outcome,
       as_shown(provisional) AS provisional, as_shown(start_time) AS start_time, as_shown(end_time) AS end_time, as_shown(k) AS k,
       as_shown(node_hours) AS node_hours, as_shown(wall_hours) AS wall_hours, as_shown(job_hours) AS job_hours,
       as_shown(unpriced_node_hours) AS unpriced_node_hours, as_shown(price_per_node_hour) AS price_per_node_hour,
       as_shown(efficiency)::numeric(15,12) AS efficiency, as_shown(efficiency_from) AS efficiency_from,
       as_shown(statement_currency) AS statement_currency, as_shown(useful_compute) AS useful_compute,
       as_shown(coordination_waste) AS coordination_waste, as_shown(unmeasured_hardware) AS unmeasured_hardware,
       as_shown(failed_runs) AS failed_runs, as_shown(cancelled) AS cancelled, as_shown(cloud_fees) AS cloud_fees,
       as_shown(fixed_overhead) AS fixed_overhead, as_shown(hardware_off_bill) AS hardware_off_bill,
       as_shown(fixed_overhead_off_bill) AS fixed_overhead_off_bill, as_shown(engineering_overhead) AS engineering_overhead,
       as_shown(true_cost) AS true_cost, as_shown(true_cost_minor) AS true_cost_minor, as_shown(verdict) AS verdict,
       as_shown(verdict_reason) AS verdict_reason, as_shown(low_confidence) AS low_confidence, as_shown(k_star) AS k_star,
       as_shown(k_star_interval) AS k_star_interval, as_shown(k_fastest) AS k_fastest, as_shown(excess) AS excess,
       as_shown(cash_saving) AS cash_saving, as_shown(freed_capacity) AS freed_capacity, as_shown(job_hours_at_k_star) AS job_hours_at_k_star,
       as_shown(deadline_hours) AS deadline_hours, as_shown(waiver) AS waiver, as_shown(next_measurement) AS next_measurement, as_shown(kwh) AS kwh,
       as_shown(kg_co2e) AS kg_co2e, as_shown(overhead_per_node_hour) AS overhead_per_node_hour,
       as_shown(fixed_per_wall_hour) AS fixed_per_wall_hour, as_shown(waiting_per_hour) AS waiting_per_hour,
       as_shown(k_least_money) AS k_least_money, as_shown(k_with_waiting) AS k_with_waiting, as_shown(others_overhead) AS others_overhead,
       as_shown(attainable) AS attainable, as_shown(excess_low) AS excess_low, as_shown(excess_high) AS excess_high
FROM (
    SELECT statement_month, status, result.cost_centre, job.cluster, job.job_id, job.attempt_mark, job.run_group, job.job_name, job.user_name,
           job.account, result.family, coalesce(result.state_text, job.state_text) AS state, result.outcome, result.provisional, result.start_time,
           result.end_time, result.k, result.node_hours, result.wall_hours, result.job_hours, result.unpriced_node_hours,
           result.price_per_node_hour, result.efficiency, result.efficiency_from, statement_currency,
           minor_amount(useful_compute_minor, minor_unit_digits)          AS useful_compute,
           minor_amount(coordination_waste_minor, minor_unit_digits)      AS coordination_waste,
           minor_amount(unmeasured_hardware_minor, minor_unit_digits)     AS unmeasured_hardware,
           minor_amount(failed_runs_minor, minor_unit_digits)             AS failed_runs,
           minor_amount(cancelled_minor, minor_unit_digits)               AS cancelled,
           minor_amount(cloud_fees_minor, minor_unit_digits)              AS cloud_fees,
           minor_amount(fixed_overhead_minor, minor_unit_digits)          AS fixed_overhead,
           minor_amount(hardware_off_bill_minor, minor_unit_digits)       AS hardware_off_bill,
           minor_amount(fixed_overhead_off_bill_minor, minor_unit_digits) AS fixed_overhead_off_bill,
           minor_amount(engineering_overhead_minor, minor_unit_digits)    AS engineering_overhead,
           minor_amount(true_cost_minor, minor_unit_digits)               AS true_cost,
           true_cost_minor, verdict, verdict_reason, low_confidence, k_star, k_star_interval, k_fastest,
           -- The money of a flag is that of flagged jobs alone, as on the sheet Jobs.
           CASE WHEN is_flag(verdict) THEN minor_amount(excess_minor, minor_unit_digits) END          AS excess,
           CASE WHEN is_flag(verdict) THEN minor_amount(cash_saving_minor, minor_unit_digits) END     AS cash_saving,
           CASE WHEN is_flag(verdict) THEN minor_amount(freed_capacity_minor, minor_unit_digits) END  AS freed_capacity,
           CASE WHEN is_flag(verdict) THEN minor_amount(others_overhead_minor, minor_unit_digits) END AS others_overhead,
           minor_amount(excess_low_minor, minor_unit_digits)  AS excess_low,
           minor_amount(excess_high_minor, minor_unit_digits) AS excess_high,
           CASE WHEN is_flag(verdict) THEN is_attainable(waiver, job_hours, job_hours_at_k_star, deadline_hours) END AS attainable,
           job_hours_at_k_star, deadline_hours, waiver, next_measurement, kwh, kg_co2e, overhead_per_node_hour, fixed_per_wall_hour,
           waiting_per_hour, k_least_money, k_with_waiting
    FROM job_result AS result
    JOIN statement USING (statement_month)
    JOIN job USING (attempt_id)
    LEFT JOIN (SELECT statement_month, attempt_id, kwh, kg_co2e FROM job_energy) AS energy USING (statement_month, attempt_id)
) AS published
WHERE '*' = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen))
   OR published.cost_centre = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen));

-- What a pool costs that is split by node-hours moves with them: it is part of what a node-hour costs, and stood in what a wall-clock hour
-- costs, so that K* hung on the K that a job itself ran on. In months that were published so it stays there: nothing of it is by the node-hour.
ALTER TABLE job_result ADD COLUMN overhead_per_node_hour double precision NOT NULL DEFAULT 0;  -- of pools split by node-hours
ALTER TABLE family_fit ADD COLUMN overhead_per_node_hour double precision;                     -- likewise, of one K
ALTER TABLE family_rate ADD COLUMN overhead_per_node_hour double precision NOT NULL DEFAULT 0; -- likewise

UPDATE family_fit SET overhead_per_node_hour = 0 WHERE price_per_node_hour IS NOT NULL;

-- What was measured on one job under strong and under weak scaling was averaged: two things that are never mixed. Months that were closed so stay
-- so: a replay of theirs decomposes no hardware anew for it.
ALTER TABLE closure ADD COLUMN scalings_are_averaged boolean NOT NULL DEFAULT false;
UPDATE closure SET scalings_are_averaged = true;

-- A family whose row ended within the month had lost it on the last day, and with it limits and unit, while its rules still named jobs of its. What was
-- closed so stays so.
ALTER TABLE closure ADD COLUMN ended_families_are_left_out boolean NOT NULL DEFAULT false;
UPDATE closure SET ended_families_are_left_out = true;

-- The families of each statement, as allocate/01_month.sql has them.
CREATE VIEW stated_family_of_month AS
SELECT DISTINCT ON (statement_month, family) stated_family.*
FROM stated_family
LEFT JOIN closure USING (statement_month)
CROSS JOIN LATERAL (SELECT (statement_month + interval '1 month')::date - 1 AS last_day) AS month
WHERE valid_from <= last_day AND valid_to > CASE WHEN ended_families_are_left_out THEN last_day ELSE statement_month END
ORDER BY statement_month, family, valid_from DESC;

-- As 0062 has it, and whether the job reaches outside the month of the statement, which has a part of its cost then.
CREATE OR REPLACE VIEW flagged_job AS
SELECT statement_month, attempt_id, cost_centre, family, whole.outcome, whole.provisional, k, efficiency, k_star, k_star_interval, verdict_reason,
       low_confidence, next_measurement, whole.cost_minor, whole.cost_at_k_star_minor, whole.excess_minor, whole.cash_saving_minor,
       whole.freed_capacity_minor, job_hours, job_hours_at_k_star, deadline_hours, deadline_k, waiver, judged_with, whole.is_part
FROM job_result
JOIN (SELECT statement_month, coalesce(judged_with, attempt_id) AS attempt_id,
             CASE WHEN bool_or(outcome = 'failed') THEN 'failed' WHEN bool_or(outcome = 'cancelled') THEN 'cancelled' ELSE 'productive' END AS outcome,
             bool_or(provisional) AS provisional,
             sum(cost_minor)::bigint AS cost_minor, sum(cost_at_k_star_minor)::bigint AS cost_at_k_star_minor,
             sum(excess_minor)::bigint AS excess_minor, sum(cash_saving_minor)::bigint AS cash_saving_minor,
             sum(freed_capacity_minor)::bigint AS freed_capacity_minor,
             bool_or(start_time < month_start OR coalesce(end_time, start_time + job_hours * interval '1 hour') > month_end) AS is_part
      FROM job_result
      CROSS JOIN LATERAL (SELECT statement_month::timestamp AT TIME ZONE 'UTC', (statement_month + interval '1 month') AT TIME ZONE 'UTC')
                 AS month (month_start, month_end)
      WHERE verdict = 'above K*'
      GROUP BY statement_month, coalesce(judged_with, attempt_id)) AS whole USING (statement_month, attempt_id);

-- As 0034 has it, behind what 0041 and 0049 put before it; with what C(K) of a job is made of.
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
       as_shown(fixed_per_wall_hour) AS fixed_per_wall_hour
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
           -- The money above K* is that of flagged jobs alone, as on the sheet Jobs.
           CASE WHEN verdict = 'above K*' THEN minor_amount(excess_minor, minor_unit_digits) END         AS excess,
           CASE WHEN verdict = 'above K*' THEN minor_amount(cash_saving_minor, minor_unit_digits) END    AS cash_saving,
           CASE WHEN verdict = 'above K*' THEN minor_amount(freed_capacity_minor, minor_unit_digits) END AS freed_capacity,
           job_hours_at_k_star, deadline_hours, waiver, next_measurement, kwh, kg_co2e, overhead_per_node_hour, fixed_per_wall_hour
    FROM job_result AS result
    JOIN statement USING (statement_month)
    JOIN job USING (attempt_id)
    LEFT JOIN (SELECT statement_month, attempt_id, kwh, kg_co2e FROM job_energy) AS energy USING (statement_month, attempt_id)
) AS published
WHERE '*' = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen))
   OR published.cost_centre = ANY (ARRAY(SELECT seen.cost_centre FROM kstar.seen_cost_centre AS seen));

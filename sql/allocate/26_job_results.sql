-- The register of jobs: each dollar in one column, and the verdict with its money (design 5 and 7).
INSERT INTO job_result
WITH judged AS (
    -- What the job cost in the statement, hardware and fixed overhead, and what that would have been at K*. The cost of
    -- waiting takes part in the band but is no money of the statement, so cost_ratio leaves it out. Excess is the
    -- subtraction.
    SELECT attempt_id, k_star, round(job_verdict.cost_ratio::numeric, 12) AS cost_ratio, round(job_verdict.hours_ratio::numeric, 12) AS hours_ratio,
           part_in_minor(1, spent_before, hardware + fixed, unit) AS cost_minor,
           part_in_minor(job_verdict.cost_ratio, spent_before, hardware + fixed, unit) AS cost_at_k_star_minor,
           -- what would be left of it at the ends of the excess's interval
           part_in_minor(1 - excess_high, spent_before, hardware + fixed, unit) AS least_left_minor,
           part_in_minor(1 - excess_low, spent_before, hardware + fixed, unit) AS most_left_minor, unit
    FROM job_verdict
    JOIN job_cost USING (attempt_id)
    CROSS JOIN month
    CROSS JOIN LATERAL (SELECT ('1e' || minor_unit_digits)::numeric) AS minor_unit (unit)
), fallen AS (
    -- By how much the job's own cost would be lower at K*: its hardware moves with its node-hours, and so does overhead
    -- by them that ends with it; other overhead that ends with it moves with its hours. What is committed or owned is
    -- freed, the rest is cash.
    SELECT attempt_id, unit * (hardware * (1 - node_hours_ratio)) AS hardware_fall,
           unit * (ending_by_node_hours * (1 - node_hours_ratio) + ending_by_wall_hours * (1 - hours_ratio)) AS overhead_fall,
           coalesce(committed_hardware / nullif(charged_hardware, 0), 0) AS committed_share
    FROM judged
    JOIN job_cost USING (attempt_id)
    CROSS JOIN LATERAL (SELECT hours_ratio * judged.k_star / nullif(k, 0)) AS moved (node_hours_ratio)
    WHERE k <> judged.k_star
)
SELECT statement_month, attempt_id, cost_centre, family, outcome, job_cost.provisional, k, node_hours, wall_hours, job_hours,
       unpriced_node_hours, price_per_node_hour, fixed_per_wall_hour + job_cost.waiting_cost_per_hour, efficiency, efficiency_from,
       coalesce(useful_compute, 0), coalesce(coordination_waste, 0), coalesce(unmeasured_hardware, 0),
       coalesce(failed_runs, 0), coalesce(attempt_row.cancelled, 0), coalesce(cloud_fees, 0), coalesce(fixed_overhead, 0),
       coalesce(fixed_overhead_off_bill, 0), coalesce(engineering_overhead, 0), coalesce(true_cost, 0),
       job_verdict.k_star, k_star_interval, k_fastest, verdict, verdict_reason, low_confidence, next_measurement,
       judged.cost_ratio, judged.hours_ratio, cost_minor, cost_at_k_star_minor,
       excess_minor, cash_saving_minor, freed_capacity_minor,
       (job_hours - suspended_hours) * judged.hours_ratio + suspended_hours, deadline_hours, deadline_k, waiver, job.state_text, job.start_time, job.end_time,
       coalesce(hardware_off_bill, 0), internal_node_hours, coalesce(job.continued_state, job.state), job.run_group,
       commented_tokens(job.comment), shareless_node_hours, judged_with, overhead_per_node_hour,
       job_cost.waiting_cost_per_hour, k_least_money, k_with_waiting, excess_minor - cash_saving_minor - freed_capacity_minor,
       cost_minor - most_left_minor, cost_minor - least_left_minor, accelerator
FROM job_cost
JOIN job USING (attempt_id)
JOIN job_verdict USING (attempt_id)
JOIN judged USING (attempt_id)
LEFT JOIN attempt_row USING (attempt_id)
LEFT JOIN attempt_efficiency USING (attempt_id)
LEFT JOIN attempt_accelerator USING (attempt_id)
LEFT JOIN fallen USING (attempt_id)
CROSS JOIN LATERAL (SELECT CASE WHEN k <> job_verdict.k_star THEN greatest(cost_minor, cost_at_k_star_minor) - cost_at_k_star_minor END) AS excess (excess_minor)
CROSS JOIN LATERAL (SELECT round(hardware_fall * committed_share)::bigint,
                           (round(hardware_fall + overhead_fall) - round(hardware_fall * committed_share))::bigint)
           AS own (freed_capacity_minor, cash_saving_minor)
CROSS JOIN month;

-- Groups that a rule chains (view job_run_group, which reads all jobs that ever were). One that goes on from an attempt of a closed month is
-- the one that this is known in.
CREATE TEMP TABLE chained_group ON COMMIT DROP AS
SELECT attempt_id, run_group
FROM job_run_group
WHERE EXISTS (SELECT priority FROM declared_run_group)
  AND (SELECT replayed_month FROM month) IS NULL; -- of a replay nobody asks

ANALYZE chained_group;

UPDATE job_result
SET run_group = coalesce(known.run_group, chained_group.run_group)
FROM month
CROSS JOIN chained_group
LEFT JOIN (SELECT DISTINCT ON (chained_group.run_group) chained_group.run_group AS chain, job_result.run_group
           FROM chained_group
           JOIN job_result USING (attempt_id)
           JOIN statement USING (statement_month)
           WHERE status = 'Final'
           ORDER BY chained_group.run_group, job_result.start_time DESC, attempt_id DESC, statement_month DESC) AS known
       ON chain = chained_group.run_group
WHERE job_result.statement_month = month.statement_month AND job_result.attempt_id = chained_group.attempt_id
  AND job_result.run_group <> coalesce(known.run_group, chained_group.run_group);

-- Workbooks are written from it as soon as it is published, before PostgreSQL itself would look at it.
SELECT analyze_tables('job_result');

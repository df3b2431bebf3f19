-- The register of jobs: each cent in one column, and the verdict with its money
-- (docs/mathematics.md, section 5).
INSERT INTO job_result
WITH judged AS (
    -- The job's cost on the statement (hardware and fixed overhead), and what the same would cost
    -- at K*. The cost of waiting widens the band but is no money of the statement, so cost_ratio is
    -- without it.
    SELECT job_cost.*, k_star, k_star_interval, k_fastest, verdict, verdict_reason, low_confidence, next_measurement, deadline_k, k_least_money, k_with_waiting, from_production, next_k,
           unit, ratio.cost_ratio, ratio.hours_ratio,
           part_in_minor(1, before, up_to)                AS cost_minor,
           part_in_minor(ratio.cost_ratio, before, up_to) AS cost_at_k_star_minor,
           -- The cost that remains at either end of the excess's interval.
           part_in_minor(least_left, before, up_to)       AS least_left_minor,
           part_in_minor(most_left, before, up_to)        AS most_left_minor,
           CASE WHEN k <> k_star THEN ratio.hours_ratio * k_star / nullif(k, 0) END AS node_hours_ratio
    FROM job_cost
    JOIN job_verdict USING (attempt_id)
    CROSS JOIN (SELECT ('1e' || minor_unit_digits)::numeric AS unit FROM month) AS minor_unit
    CROSS JOIN LATERAL (SELECT round(job_verdict.cost_ratio::numeric, 12), round(job_verdict.hours_ratio::numeric, 12),
                               round((1 - excess_high)::numeric, 12), round((1 - excess_low)::numeric, 12),
                               spent_before * unit, (spent_before + hardware + fixed) * unit
                        OFFSET 0)
               AS ratio (cost_ratio, hours_ratio, least_left, most_left, before, up_to)
    OFFSET 0 -- each figure is worked out once
)
SELECT statement_month, attempt_id, cost_centre, family, outcome, judged.provisional, k, node_hours, wall_hours, job_hours,
       unpriced_node_hours, price_per_node_hour, fixed_per_wall_hour + judged.waiting_cost_per_hour, efficiency, efficiency_from,
       coalesce(useful_compute, 0), coalesce(coordination_waste, 0), coalesce(unmeasured_hardware, 0),
       coalesce(failed_runs, 0), coalesce(attempt_row.cancelled, 0), coalesce(cloud_fees, 0), coalesce(fixed_overhead, 0),
       coalesce(internal_overhead, 0), coalesce(engineering_overhead, 0), coalesce(true_cost, 0),
       k_star, k_star_interval, k_fastest, verdict, verdict_reason, low_confidence, next_measurement,
       cost_ratio, hours_ratio, cost_minor, cost_at_k_star_minor,
       excess_minor, cash_saving_minor, freed_capacity_minor,
       job_hours_at_k_star, deadline_hours, deadline_k, waiver, job.state_text, job.start_time, job.end_time,
       internal_node_hours, coalesce(job.continued_state, job.state), job.run_group,
       -- All parts of a resized job have the same comment. Its tokens count once, for the last
       -- part.
       CASE WHEN job.continued_state IS NULL THEN commented_tokens(job.comment) END, shareless_node_hours, judged_with, overhead_per_node_hour,
       judged.waiting_cost_per_hour, k_least_money, k_with_waiting, excess_minor - cash_saving_minor - freed_capacity_minor,
       cost_minor - most_left_minor, cost_minor - least_left_minor, accelerator,
       from_production, next_k, nodes_per_k, committed_hardware / nullif(charged_hardware, 0),
       wall_seconds, node_seconds, internal_node_seconds,
       CASE WHEN job_name IS NOT NULL THEN hashtextextended(ROW(job_name, user_name)::text, 0) END,
       is_attainable(waiver, job_hours, job_hours_at_k_star, deadline_hours)
FROM judged
JOIN job USING (attempt_id)
LEFT JOIN attempt_row USING (attempt_id)
LEFT JOIN attempt_efficiency USING (attempt_id)
LEFT JOIN attempt_accelerator USING (attempt_id)
-- The excess is the job's cost less its cost at K*. At K* the job's own cost falls: hardware, and
-- ending overhead by node-hours, fall with the node-hours; other ending overhead falls with the
-- hours. Of the hardware the committed or owned part is freed capacity; the rest of the fall is
-- cash. A job without overhead has all the rest of the excess as cash, so that rounding moves no
-- cent to others' overhead.
CROSS JOIN LATERAL (SELECT CASE WHEN k <> k_star THEN greatest(cost_minor, cost_at_k_star_minor) - cost_at_k_star_minor END,
                           unit * hardware * (1 - node_hours_ratio) * coalesce(committed_hardware / nullif(charged_hardware, 0), 0),
                           unit * ((hardware + ending_by_node_hours) * (1 - node_hours_ratio) + ending_by_wall_hours * (1 - hours_ratio))
                    OFFSET 0) -- each is worked out once
           AS own (excess_minor, freed, fallen)
CROSS JOIN LATERAL (SELECT (job_hours - suspended_hours) * hours_ratio + suspended_hours) AS hours (job_hours_at_k_star)
CROSS JOIN LATERAL (SELECT round(freed)::bigint, (CASE WHEN judged.fixed = 0 THEN excess_minor ELSE round(fallen) END - round(freed))::bigint)
           AS rounded (freed_capacity_minor, cash_saving_minor)
CROSS JOIN month
ORDER BY cost_centre COLLATE "C", attempt_id;

-- Run groups that a rule chains (view job_run_group, which reads all jobs). If a group continues
-- attempts of a closed month, it keeps the name that it has in the closed statement.
CREATE TEMP TABLE chained_group ON COMMIT DROP AS
SELECT attempt_id, run_group
FROM job_run_group
WHERE EXISTS (SELECT priority FROM declared_run_group);

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

-- Workbooks are written from this table right after publishing, before autovacuum would analyze it.
SELECT analyze_tables('job_result');

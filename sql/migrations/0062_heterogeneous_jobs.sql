-- A heterogeneous job is one: an attempt at one result, judged once. Its components were a run group each, and each had a verdict of its own.
ALTER TABLE job_result ADD COLUMN judged_with bigint; -- the first component of its heterogeneous job; null: it is judged by itself

-- Jobs above K*: a heterogeneous one is one of them, spoken for by its first component, with the money of all of them.
CREATE VIEW flagged_job AS
SELECT statement_month, attempt_id, cost_centre, family, whole.outcome, whole.provisional, k, efficiency, k_star, k_star_interval, verdict_reason,
       low_confidence, next_measurement, whole.cost_minor, whole.cost_at_k_star_minor, whole.excess_minor, whole.cash_saving_minor,
       whole.freed_capacity_minor, job_hours, job_hours_at_k_star, deadline_hours, deadline_k, waiver, judged_with
FROM job_result
JOIN (SELECT statement_month, coalesce(judged_with, attempt_id) AS attempt_id,
             CASE WHEN bool_or(outcome = 'failed') THEN 'failed' WHEN bool_or(outcome = 'cancelled') THEN 'cancelled' ELSE 'productive' END AS outcome,
             bool_or(provisional) AS provisional,
             sum(cost_minor)::bigint AS cost_minor, sum(cost_at_k_star_minor)::bigint AS cost_at_k_star_minor,
             sum(excess_minor)::bigint AS excess_minor, sum(cash_saving_minor)::bigint AS cash_saving_minor,
             sum(freed_capacity_minor)::bigint AS freed_capacity_minor
      FROM job_result
      WHERE verdict = 'above K*'
      GROUP BY statement_month, coalesce(judged_with, attempt_id)) AS whole USING (statement_month, attempt_id);

UPDATE job
SET run_group = cluster || '/' || heterogeneous_job_id
WHERE heterogeneous_job_id IS NOT NULL AND run_group = cluster || '/' || job_id_raw;

-- As 0043 has it; the components of a heterogeneous job are one attempt.
CREATE OR REPLACE VIEW run_group_cost AS
SELECT run_group, min(start_time) AS first_start, max(end_time) AS last_end, statement_currency,
       count(DISTINCT run) AS attempts,
       count(DISTINCT run) FILTER (WHERE outcome = 'failed') AS failed_attempts,
       sum(true_cost_minor)::bigint AS true_cost_minor,
       coalesce(sum(true_cost_minor) FILTER (WHERE outcome <> 'productive'), 0)::bigint AS without_result_minor,
       CASE WHEN bool_or(end_time IS NULL OR state = 'RUNNING') THEN 'running'
            WHEN bool_or(outcome = 'productive') THEN 'succeeded'
            WHEN bool_and(outcome = 'cancelled') THEN 'cancelled'
            ELSE 'failed, no result' END AS result
FROM (SELECT ROW(job.cluster, coalesce(heterogeneous_job_id, attempt_id::text), job.submit_time) AS run, job_run_group.run_group, job.start_time,
             job.end_time, job_state.state, job_state.outcome, true_cost_minor, statement_currency
      FROM job_result
      JOIN statement USING (statement_month)
      JOIN job USING (attempt_id)
      JOIN job_state ON job_state.state = coalesce(job.continued_state, job.state)
      JOIN job_run_group USING (attempt_id)) AS attempt
GROUP BY run_group, statement_currency;

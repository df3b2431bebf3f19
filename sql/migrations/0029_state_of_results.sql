-- The register of jobs keeps the state that decided an attempt's outcome. The delivered text is each scheduler's own ('Failed' of a
-- Kubernetes job that ran out of memory, 'NODE_FAIL,REQUEUED' of slurmrestd): it is shown, and nothing is told by it.
ALTER TABLE job_result ADD COLUMN base_state text; -- of job_state
UPDATE job_result
SET base_state = coalesce((SELECT job.state FROM job WHERE job.attempt_id = job_result.attempt_id AND job.state_text = job_result.state_text),
                     (SELECT job_state.state FROM job_state WHERE job_state.state = upper(split_part(job_result.state_text, ' ', 1))),
                     'UNKNOWN')
WHERE state_text IS NOT NULL;

CREATE OR REPLACE VIEW failed_run_attempt AS
SELECT "window".statement_month, attempt_id, coalesce(cost_centre, '(none)') AS cost_centre, coalesce(family, '(none)') AS family,
       outcome, base_state AS state, node_hours,
       useful_compute_minor + coordination_waste_minor + unmeasured_hardware_minor + cloud_fees_minor
           + failed_runs_minor + cancelled_minor + hardware_off_bill_minor AS cost_minor
FROM failed_run_window AS "window"
JOIN statement AS counted ON counted.statement_month BETWEEN "window".window_from AND "window".statement_month
                         AND counted.statement_currency = "window".statement_currency
JOIN job_result ON job_result.statement_month = counted.statement_month
WHERE NOT provisional;

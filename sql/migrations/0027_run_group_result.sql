-- What came of a run group is what is known of its attempts now. A closed month keeps what it said of an attempt that was
-- still running: with that, the group would be running for ever, and one that failed later would have succeeded.
CREATE OR REPLACE VIEW run_group_cost AS
SELECT run_group, min(start_time) AS first_start, max(end_time) AS last_end, statement_currency,
       count(DISTINCT attempt_id) AS attempts,
       count(DISTINCT attempt_id) FILTER (WHERE outcome = 'failed') AS failed_attempts,
       sum(true_cost_minor)::bigint AS true_cost_minor,
       coalesce(sum(true_cost_minor) FILTER (WHERE outcome <> 'productive'), 0)::bigint AS without_result_minor,
       CASE WHEN bool_or(end_time IS NULL) THEN 'running'
            WHEN bool_or(outcome = 'productive') THEN 'succeeded'
            WHEN bool_and(outcome = 'cancelled') THEN 'cancelled'
            ELSE 'failed, no result' END AS result
FROM (SELECT attempt_id, job_run_group.run_group, job.start_time, job.end_time, job_state.outcome, true_cost_minor, statement_currency
      FROM job_result
      JOIN statement USING (statement_month)
      JOIN job USING (attempt_id)
      JOIN job_state USING (state)
      JOIN job_run_group USING (attempt_id)) AS attempt
GROUP BY run_group, statement_currency;

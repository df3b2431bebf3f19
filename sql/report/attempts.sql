-- Sheet "Attempts": attempts at a result that needed more than one, or that nobody got (design 5), over all statements up to this one. A
-- run group is shown where it has an attempt in this statement.
WITH running_group AS (
    SELECT DISTINCT run_group
    FROM job_result
    JOIN report_run_group USING (attempt_id)
    WHERE statement_month = current_setting('kstar.statement_month')::date
      AND current_setting('kstar.cost_centre') IN ('', cost_centre)
), attempt AS (
    SELECT report_run_group.run_group, job_result.*, job.job_id, job.job_name, job.user_name, job.attempt_mark, job.cluster
    FROM running_group
    JOIN report_run_group USING (run_group)
    JOIN job_result USING (attempt_id)
    JOIN job USING (attempt_id)
    JOIN statement USING (statement_month)
    WHERE statement_month <= current_setting('kstar.statement_month')::date
      AND statement_currency = (SELECT statement_currency FROM statement WHERE statement_month = current_setting('kstar.statement_month')::date)
      AND current_setting('kstar.cost_centre') IN ('', cost_centre)
), known AS ( -- what came of an attempt is said by its latest statement: a closed one may have had it running
    SELECT attempt.*, first_value(provisional) OVER latest AS is_running, first_value(outcome) OVER latest AS came_of_it
    FROM attempt
    WINDOW latest AS (PARTITION BY attempt_id ORDER BY statement_month DESC)
), judged AS ( -- by windows: a join of the attempts with their groups would be planned as if there were two
    SELECT known.*,
           CASE WHEN bool_or(is_running) OVER one_group THEN 'running'
                WHEN bool_or(came_of_it = 'productive') OVER one_group THEN 'succeeded'
                WHEN bool_and(came_of_it = 'cancelled') OVER one_group THEN 'cancelled'
                ELSE 'failed, no result' END AS result,
           min(attempt_id) OVER one_group <> max(attempt_id) OVER one_group
               OR NOT bool_or(came_of_it = 'productive') OVER one_group AS is_shown
    FROM known
    WINDOW one_group AS (PARTITION BY run_group COLLATE "C")
)
SELECT dense_rank() OVER (ORDER BY run_group COLLATE "C") AS group_no, run_group, result,
       dense_rank() OVER (PARTITION BY run_group COLLATE "C" ORDER BY start_time, attempt_id) AS attempt_no,
       row_number() OVER one_group AS row_no, to_char(statement_month, 'YYYY-MM') AS period, cost_centre, cluster, job_id, attempt_mark,
       job_name, user_name, family, k, state_text, outcome, start_time, end_time, node_hours, true_cost_minor,
       (sum(true_cost_minor) OVER one_group)::bigint AS so_far_minor,
       lead(run_group) OVER (ORDER BY run_group COLLATE "C", start_time, attempt_id, statement_month) IS DISTINCT FROM run_group AS is_last
FROM judged
WHERE is_shown
WINDOW one_group AS (PARTITION BY run_group COLLATE "C" ORDER BY start_time, attempt_id, statement_month)
ORDER BY run_group COLLATE "C", start_time, attempt_id, statement_month;

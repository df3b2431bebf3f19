-- Sheet "Attempts": attempts at a result that needed more than one, or that nobody got (design 5), over all statements up to this one
-- (view report_attempt).
SELECT dense_rank() OVER (ORDER BY run_group COLLATE "C") AS group_no, run_group, result,
       dense_rank() OVER (PARTITION BY run_group COLLATE "C" ORDER BY start_time, run) AS attempt_no,
       row_number() OVER one_group AS row_no, to_char(statement_month, 'YYYY-MM') AS period, cost_centre, cluster, job_id, attempt_mark,
       job_name, user_name, family, k, state_text, outcome, start_time, end_time, node_hours, true_cost_minor,
       (sum(true_cost_minor) OVER one_group)::bigint AS so_far_minor,
       lead(run_group) OVER (ORDER BY run_group COLLATE "C", start_time, run, attempt_id, statement_month) IS DISTINCT FROM run_group AS is_last
FROM report_attempt
WHERE is_shown
WINDOW one_group AS (PARTITION BY run_group COLLATE "C" ORDER BY start_time, run, attempt_id, statement_month)
ORDER BY run_group COLLATE "C", start_time, run, attempt_id, statement_month;

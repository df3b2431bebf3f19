-- Sheet "Attempts": attempts at a result that needed more than one, or that nobody got, over all statements up to this
-- one, with what they cost so far.
SELECT dense_rank() OVER (ORDER BY told.run_group COLLATE "C") AS group_no, told.run_group, told.result,
       dense_rank() OVER (PARTITION BY told.run_group COLLATE "C" ORDER BY row.start_time, run) AS attempt_no,
       row_number() OVER one_group AS row_no, to_char(statement_month, 'YYYY-MM') AS period, row.cost_centre, cluster, job_id, attempt_mark,
       job_name, user_name, row.family, k, job_result.state_text, outcome, row.start_time, row.end_time, node_hours, row.true_cost_minor,
       (sum(row.true_cost_minor) OVER one_group)::bigint AS so_far_minor,
       lead(told.run_group) OVER (ORDER BY told.run_group COLLATE "C", row.start_time, run, attempt_id, statement_month)
           IS DISTINCT FROM told.run_group AS is_last
FROM report_told_group AS told
JOIN report_run_row AS row ON row.run_group = told.run_group AND scope IN ('', row.cost_centre)
JOIN job_result USING (statement_month, attempt_id)
JOIN job USING (attempt_id)
WHERE scope = current_setting('kstar.cost_centre')
WINDOW one_group AS (PARTITION BY told.run_group COLLATE "C" ORDER BY row.start_time, run, attempt_id, statement_month)
ORDER BY told.run_group COLLATE "C", row.start_time, run, attempt_id, statement_month;

-- Sheet "Attempts": the attempts of results that needed more than one, or that nobody got. All
-- statements up to this one count, each attempt with its cost so far.
SELECT dense_rank() OVER (ORDER BY listed.run_group COLLATE "C") AS group_no, listed.run_group, listed.result,
       dense_rank() OVER (PARTITION BY listed.run_group COLLATE "C" ORDER BY job_result.start_time, run) AS attempt_no,
       row_number() OVER one_group AS row_no, to_char(statement_month, 'YYYY-MM') AS period, job_result.cost_centre, cluster, job_id, attempt_mark,
       job_name, user_name, job_result.family, k, job_result.state_text, outcome, job_result.start_time, job_result.end_time, node_hours, job_result.true_cost_minor,
       (sum(job_result.true_cost_minor) OVER one_group)::bigint AS so_far_minor,
       lead(listed.run_group) OVER (ORDER BY listed.run_group COLLATE "C", job_result.start_time, run, attempt_id, statement_month)
           IS DISTINCT FROM listed.run_group AS is_last
FROM report_attempt_row AS listed
JOIN job_result USING (statement_month, attempt_id)
JOIN job USING (attempt_id)
WHERE scope = (SELECT current_setting('kstar.cost_centre')) AND is_listed
WINDOW one_group AS (PARTITION BY listed.run_group COLLATE "C" ORDER BY job_result.start_time, run, attempt_id, statement_month)
ORDER BY listed.run_group COLLATE "C", job_result.start_time, run, attempt_id, statement_month;

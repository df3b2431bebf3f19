-- Fills what report/00_session.sql made for jobs: those that failed, and how all ran.
INSERT INTO report_failed_factor
SELECT statement_month, window_from, cost_centre, family, failed_attempts, productive_attempts, cancelled_attempts,
       failed_minor, productive_minor, cancelled_minor, factor, factor_from
FROM failed_run_factor
WHERE statement_month IN (current_setting('kstar.statement_month')::date,
                          (current_setting('kstar.statement_month')::date - interval '1 month')::date);

INSERT INTO report_failed_state
SELECT cost_centre, state, outcome, count(DISTINCT attempt_id), round(sum(node_hours::numeric), 6), sum(cost_minor)::bigint
FROM failed_run_attempt
WHERE statement_month = current_setting('kstar.statement_month')::date
GROUP BY cost_centre, state, outcome;

INSERT INTO report_run_size
SELECT cost_centre, family, k, count(*) FILTER (WHERE coalesce(judged_with, attempt_id) = attempt_id), sum(cost_minor),
       sum(excess_minor) FILTER (WHERE is_flag(verdict))
FROM job_result
WHERE statement_month = current_setting('kstar.statement_month')::date AND outcome <> 'not started'
GROUP BY cost_centre, family, k;

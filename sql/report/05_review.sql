-- Fills the tables of report/00_session.sql for the review and for pages: flags, node counts, and
-- what to measure next. This file needs no table of the files before it.
INSERT INTO report_flag
SELECT * FROM flagged_job WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date);

INSERT INTO report_run_size
SELECT cost_centre, family, k, count(*) FILTER (WHERE coalesce(judged_with, attempt_id) = attempt_id), sum(cost_minor),
       sum(excess_minor) FILTER (WHERE is_flag(verdict))
FROM job_result
WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date) AND outcome <> 'not started'
GROUP BY cost_centre, family, k;

INSERT INTO report_experiment
SELECT *
FROM next_experiments(current_setting('kstar.statement_month')::date,
                      ARRAY(SELECT '' UNION SELECT cost_centre FROM job_result
                            WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date) AND cost_centre IS NOT NULL));

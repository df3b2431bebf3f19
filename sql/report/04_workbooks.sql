-- Fills what report/00_session.sql made for all workbooks: which there are, and what each says
-- first. After report/01_lines.sql.
INSERT INTO report_place
SELECT attempt_id, cost_centre, family, row_number() OVER (ORDER BY true_cost_minor DESC, attempt_id),
       row_number() OVER (PARTITION BY cost_centre ORDER BY true_cost_minor DESC, attempt_id)
FROM job_result
WHERE statement_month = current_setting('kstar.statement_month')::date;

ANALYZE report_place;

INSERT INTO report_scope
SELECT '' UNION SELECT cost_centre FROM report_line WHERE cost_centre IS NOT NULL
UNION SELECT cost_centre FROM report_adjustment WHERE cost_centre IS NOT NULL;

INSERT INTO report_headline
SELECT * FROM headlines(current_setting('kstar.statement_month')::date, ARRAY(SELECT scope FROM report_scope));

INSERT INTO report_coverage
SELECT * FROM coverage_items(current_setting('kstar.statement_month')::date, ARRAY(SELECT scope FROM report_scope));

INSERT INTO report_experiment
SELECT * FROM next_experiments(current_setting('kstar.statement_month')::date, ARRAY(SELECT scope FROM report_scope));

INSERT INTO report_file
SELECT kind, path, sha256, bytes
FROM statement_file
WHERE statement_month = current_setting('kstar.statement_month')::date;

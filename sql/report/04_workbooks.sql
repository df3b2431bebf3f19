-- Fills the tables of report/00_session.sql for all workbooks: which there are, and their first
-- lines. Runs after report/01_lines.sql.
INSERT INTO report_place
SELECT attempt_id, cost_centre, family, place_in_centre, place <= listed, place <= named, place_in_centre <= named
FROM (SELECT attempt_id, cost_centre, family, row_number() OVER (ORDER BY true_cost_minor DESC, attempt_id) AS place,
             row_number() OVER (PARTITION BY cost_centre ORDER BY true_cost_minor DESC, attempt_id) AS place_in_centre
      FROM job_result
      WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date)) AS placed
-- OFFSET 0: the settings are read once, not for each job
CROSS JOIN (SELECT stated_setting_value(current_setting('kstar.statement_month')::date, 'workbook_jobs', '5000')::bigint,
                   stated_setting_value(current_setting('kstar.statement_month')::date, 'tidy_jobs', '1000')::bigint OFFSET 0) AS setting (listed, named);

ANALYZE report_place;

INSERT INTO report_scope
SELECT '' UNION SELECT cost_centre FROM report_line WHERE cost_centre IS NOT NULL
UNION SELECT cost_centre FROM report_adjustment WHERE cost_centre IS NOT NULL;

INSERT INTO report_headline
SELECT * FROM headlines(current_setting('kstar.statement_month')::date, ARRAY(SELECT scope FROM report_scope));

INSERT INTO report_coverage
SELECT * FROM coverage_items(current_setting('kstar.statement_month')::date, ARRAY(SELECT scope FROM report_scope));

INSERT INTO report_file
SELECT kind, path, sha256, bytes
FROM statement_file
WHERE statement_month = current_setting('kstar.statement_month')::date;

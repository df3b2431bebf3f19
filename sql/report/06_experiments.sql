-- Fills the table of experiments of report/00_session.sql: what to measure next, in each workbook.
INSERT INTO report_experiment
SELECT *
FROM next_experiments(current_setting('kstar.statement_month')::date,
                      ARRAY(SELECT '' UNION SELECT cost_centre FROM job_result
                            WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date) AND cost_centre IS NOT NULL));

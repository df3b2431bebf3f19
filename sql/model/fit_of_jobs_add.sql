-- Adds a row to fit_of_jobs.
INSERT INTO fit_of_jobs (statement_month, family, accelerator, fit)
SELECT statement_month, $1, $2, $3
FROM month;

-- How many rows the sheet "Attempts" has.
SELECT count(*)
FROM report_told_group AS told
JOIN report_run_row AS row ON row.run_group = told.run_group AND scope IN ('', row.cost_centre)
WHERE scope = current_setting('kstar.cost_centre');

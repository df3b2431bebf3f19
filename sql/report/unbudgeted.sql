-- Sheet "Summary": cost centres that the statement charges without a budget for its month.
SELECT standing.cost_centre, name, spent_minor, forecast_minor, centre_no
FROM budget_standing(current_setting('kstar.statement_month')::date) AS standing
LEFT JOIN (SELECT DISTINCT cost_centre, centre_no FROM report_line WHERE section IN (1, 6)) AS centre USING (cost_centre)
WHERE budget_minor IS NULL
ORDER BY spent_minor DESC, standing.cost_centre COLLATE "C";

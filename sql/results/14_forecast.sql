-- The kept forecast that the statement is compared with, by cost centre.
INSERT INTO statement_forecast (statement_month, cost_centre, scenario, forecast_id, known_to, minor_units)
SELECT statement_month, cost_centre, scenario, forecast_id, base_to, sum(minor_units)
FROM month
JOIN forecast ON forecast_id = forecast_of_month(statement_month)
JOIN forecast_month USING (forecast_id)
WHERE forecast_month.month = statement_month
GROUP BY statement_month, cost_centre, scenario, forecast_id, base_to;

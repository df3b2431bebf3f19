-- Makes the kept forecast $1 the one kept last for its scenario, base month and currency, unless it
-- is: of several that know the same months, the one kept last counts.
INSERT INTO forecast_kept (forecast_id)
SELECT forecast_id
FROM forecast
WHERE forecast_id = $1
  AND forecast_id IS DISTINCT FROM (SELECT forecast_id
                                    FROM forecast_kept
                                    JOIN forecast AS other USING (forecast_id)
                                    WHERE (other.scenario, other.base_to, other.statement_currency)
                                          = (forecast.scenario, forecast.base_to, forecast.statement_currency)
                                    ORDER BY kept_number DESC LIMIT 1);

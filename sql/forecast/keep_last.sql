-- Makes a kept forecast, $1, the one kept last of those of its scenario that know the same, where
-- it is not.
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

-- Keeps the forecast $1 (its row as JSON). Returns a row if the forecast was not kept before.
INSERT INTO forecast (forecast_id, scenario, content, base_to, statement_currency, minor_unit_digits, kstar_version)
SELECT forecast_id, scenario, content, base_to, statement_currency, minor_unit_digits, kstar_version
FROM jsonb_populate_record(NULL::forecast, $1::jsonb)
ON CONFLICT (forecast_id) DO NOTHING
RETURNING forecast_id;

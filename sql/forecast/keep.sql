-- Keeps a forecast, $1: its row as JSON. Gives a row where it was not kept before.
INSERT INTO forecast (forecast_id, scenario, content, base_from, base_to, months, statement_currency, minor_unit_digits, kstar_version,
                      held_back, back_test_error)
SELECT forecast_id, scenario, content, base_from, base_to, months, statement_currency, minor_unit_digits, kstar_version,
       held_back, back_test_error
FROM jsonb_populate_record(NULL::forecast, $1::jsonb)
ON CONFLICT (forecast_id) DO NOTHING
RETURNING forecast_id;

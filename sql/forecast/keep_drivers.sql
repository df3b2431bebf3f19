-- Keeps rows of forecast_driver, $1: as a JSON list.
INSERT INTO forecast_driver
SELECT * FROM jsonb_populate_recordset(NULL::forecast_driver, $1::jsonb);

-- Keeps the rows $1 (a JSON list) in forecast_driver.
INSERT INTO forecast_driver
SELECT * FROM jsonb_populate_recordset(NULL::forecast_driver, $1::jsonb);

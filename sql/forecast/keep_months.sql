-- Keeps the rows $1 (a JSON list) in forecast_month.
INSERT INTO forecast_month
SELECT * FROM jsonb_populate_recordset(NULL::forecast_month, $1::jsonb);

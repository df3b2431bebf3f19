-- Keeps rows of forecast_month, $1: as a JSON list.
INSERT INTO forecast_month
SELECT * FROM jsonb_populate_recordset(NULL::forecast_month, $1::jsonb);

-- Keeps rows of forecast_range, $1: as a JSON list.
INSERT INTO forecast_range
SELECT * FROM jsonb_populate_recordset(NULL::forecast_range, $1::jsonb);

-- Keeps the rows $1 (a JSON list) in forecast_range.
INSERT INTO forecast_range
SELECT * FROM jsonb_populate_recordset(NULL::forecast_range, $1::jsonb);

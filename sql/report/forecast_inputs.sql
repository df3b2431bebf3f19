-- Sheet "Inputs": what the scenario says, by name.
SELECT key, value
FROM forecast_book, jsonb_each_text(content->'inputs');

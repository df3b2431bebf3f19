-- The kept forecasts to compare with the statements (see forecast_choice): scenario $1, months $2
-- to $3, made from data that end at least $4 months before, currency $5.
SELECT scenario, forecast_id, extract(year FROM month)::int * 12 + extract(month FROM month)::int - 1,
       (extract(year FROM age(month, base_to)) * 12 + extract(month FROM age(month, base_to)))::int AS months_ahead, p10_minor, p90_minor
FROM forecast_choice($1, $2::date, $3::date, $4::int, $5)
ORDER BY scenario COLLATE "C", month;

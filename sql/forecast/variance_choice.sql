-- For each scenario ($1: one; '': all) and month from $2 to $3 the kept forecast that knew the most of what came before it, at least
-- $4 months ahead; of several that knew the same, the one kept last.
SELECT DISTINCT ON (scenario COLLATE "C", month) scenario, forecast_id, extract(year FROM month)::int * 12 + extract(month FROM month)::int - 1,
       (extract(year FROM age(month, base_to)) * 12 + extract(month FROM age(month, base_to)))::int AS months_ahead, p10_minor, p90_minor
FROM forecast
JOIN forecast_range USING (forecast_id)
WHERE ($1 = '' OR scenario = $1) AND month BETWEEN $2::date AND $3::date AND statement_currency = $5
  AND base_to + make_interval(months => $4::int) <= month
ORDER BY scenario COLLATE "C", month, base_to DESC, kept_number DESC;

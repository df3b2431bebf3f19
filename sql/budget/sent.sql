-- The hook has received a crossing.
UPDATE budget_alert SET is_sent = true
WHERE statement_month = to_date($1, 'YYYY-MM') AND cost_centre = $2 AND measure = $3 AND threshold = $4::numeric;

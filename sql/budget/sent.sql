-- The hook has run for a crossing.
UPDATE budget_alert SET told = true
WHERE statement_month = to_date($1, 'YYYY-MM') AND cost_centre = $2 AND measure = $3 AND threshold = $4::numeric;

-- Takes a crossing to tell of, for the transaction; no row: somebody else has it, or it was told.
SELECT FROM budget_alert
WHERE statement_month = to_date($1, 'YYYY-MM') AND cost_centre = $2 AND measure = $3 AND threshold = $4::numeric AND NOT told
FOR UPDATE SKIP LOCKED;

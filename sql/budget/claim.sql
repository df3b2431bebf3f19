-- Locks a crossing that is to be sent to the hook, until the transaction ends. No row: another
-- session has locked it, or it has been sent.
SELECT FROM budget_alert
WHERE statement_month = to_date($1, 'YYYY-MM') AND cost_centre = $2 AND measure = $3 AND threshold = $4::numeric AND NOT is_sent
FOR UPDATE SKIP LOCKED;

-- Sheet "About": settings in force at the end of the month. Their values may name cost centres.
SELECT parameter, value, nullif(valid_from, '-infinity') AS valid_from, nullif(valid_to, 'infinity') AS valid_to
FROM stated_setting
WHERE statement_month = current_setting('kstar.statement_month')::date
  AND valid_from <= (current_setting('kstar.statement_month')::date + interval '1 month' - interval '1 day')::date
  AND valid_to > (current_setting('kstar.statement_month')::date + interval '1 month' - interval '1 day')::date
  AND current_setting('kstar.cost_centre') = ''
ORDER BY parameter COLLATE "C";

-- Sheet "About": settings in force on the last day of the month. Only everybody's workbook has
-- them, because their values may name cost centres.
SELECT parameter, value, nullif(valid_from, '-infinity') AS valid_from, nullif(valid_to, 'infinity') AS valid_to
FROM stated_setting
WHERE statement_month = current_setting('kstar.statement_month')::date
  AND valid_from <= (current_setting('kstar.statement_month')::date + interval '1 month' - interval '1 day')::date
  AND valid_to > (current_setting('kstar.statement_month')::date + interval '1 month' - interval '1 day')::date
  AND current_setting('kstar.cost_centre') = ''
ORDER BY parameter COLLATE "C";

-- Sheet "Measure next".
SELECT *
FROM next_experiments(current_setting('kstar.statement_month')::date, ARRAY[current_setting('kstar.cost_centre')]);

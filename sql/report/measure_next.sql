-- Sheet "Measure next".
SELECT *
FROM next_experiments(current_setting('kstar.statement_month')::date, current_setting('kstar.cost_centre'));

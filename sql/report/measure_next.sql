-- Sheet "Measure next".
SELECT * FROM report_experiment WHERE scope = current_setting('kstar.cost_centre') ORDER BY place;

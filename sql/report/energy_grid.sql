-- Sheet "Energy and carbon": the rows of grid_intensity.csv in force in the month.
SELECT coalesce(nullif(cluster, ''), 'any') AS grid, grams_per_kwh, pue,
       nullif(valid_from, '-infinity') AS valid_from, nullif(valid_to, 'infinity') AS valid_to
FROM stated_grid_intensity
WHERE statement_month = current_setting('kstar.statement_month')::date
  AND valid_from < (statement_month + interval '1 month')::date AND valid_to > statement_month
ORDER BY stated_grid_intensity.cluster COLLATE "C", stated_grid_intensity.valid_from;

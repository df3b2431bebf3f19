-- The families with a curve: each has a sheet in the review workbook. k_carbon is null if the sheet
-- shows no energy, or if it equals K*. waiting is null if waiting has no cost.
SELECT family, law, reason, k_star, k_star_interval, k_fastest, max(k) AS largest_k,
       CASE WHEN energy_is_stated(statement_month) AND k_carbon <> k_star THEN k_carbon END AS k_carbon,
       CASE WHEN waiting_per_hour > 0 THEN statement_currency || ' ' || trim_scale(waiting_per_hour::numeric) || ' an hour' END AS waiting, k_least_money,
       round(checkpoint_interval_hours::numeric, 1) AS checkpoint_interval_hours
FROM family_fit
JOIN statement USING (statement_month)
JOIN family_curve USING (statement_month, family)
WHERE statement_month = current_setting('kstar.statement_month')::date
GROUP BY statement_month, statement_currency, k_carbon, family, law, reason, k_star, k_star_interval, k_fastest, waiting_per_hour, k_least_money,
         checkpoint_interval_hours
ORDER BY family COLLATE "C";

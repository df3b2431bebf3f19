-- The families with a curve: one sheet each in the review workbook. The carbon-cheapest K where energy is shown and it is not K*.
SELECT family, law, reason, k_star, k_star_interval, k_fastest, max(k) AS largest_k,
       CASE WHEN energy_is_stated(statement_month) AND k_carbon <> k_star THEN k_carbon END AS k_carbon
FROM family_fit
JOIN family_curve USING (statement_month, family)
WHERE statement_month = current_setting('kstar.statement_month')::date
GROUP BY statement_month, k_carbon, family, law, reason, k_star, k_star_interval, k_fastest
ORDER BY family COLLATE "C";

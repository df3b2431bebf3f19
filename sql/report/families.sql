-- The families with a curve: one sheet each in the review workbook.
SELECT family, law, reason, k_star, k_star_interval, k_fastest, price_per_node_hour, fixed_per_wall_hour, low_confidence
FROM family_fit
WHERE statement_month = current_setting('kstar.statement_month')::date
  AND family IN (SELECT family FROM family_curve WHERE statement_month = current_setting('kstar.statement_month')::date)
ORDER BY family COLLATE "C";

-- The families with a curve: one sheet each in the review workbook.
SELECT family, law, reason, k_star, k_star_interval, k_fastest, max(k) AS largest_k
FROM family_fit
JOIN family_curve USING (statement_month, family)
WHERE statement_month = current_setting('kstar.statement_month')::date
GROUP BY family, law, reason, k_star, k_star_interval, k_fastest
ORDER BY family COLLATE "C";

-- As rules.sql, for a reader.
SELECT coalesce((SELECT near_k_star_share FROM kstar_views.report_family ORDER BY statement_month DESC LIMIT 1), 0.05);

-- The rules of the verdict that settings.csv can change.
SELECT near_k_star_share FROM month;

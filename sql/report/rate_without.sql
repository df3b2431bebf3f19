-- Sheet "Rate card": families that were measured but have no tiers, with the reason.
SELECT family,
       CASE WHEN price_per_node_hour IS NULL THEN 'no job of it has a price this month'
            WHEN k_star IS NOT NULL THEN 'K* is beyond twice the largest size measured'
            WHEN k_star_reason IS NOT NULL THEN 'no K*: ' || k_star_reason
            WHEN scaling = 'weak' THEN 'weak scaling: its work grows with K, so there is no same work to compare '
                                       '(families.csv: goal_work_constant)'
            ELSE 'no K*: ' || reason END AS why
FROM family_fit
WHERE statement_month = current_setting('kstar.statement_month')::date
  AND family NOT IN (SELECT family FROM family_rate
                     WHERE statement_month = current_setting('kstar.statement_month')::date AND is_k_star)
ORDER BY family COLLATE "C";

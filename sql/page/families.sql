-- The six families whose curve the page shows: those with the largest excess of flags first, then
-- those whose jobs cost most.
SELECT family_fit.family, coalesce(jobs_family, family_fit.family) AS jobs_family, k_star, k_star_interval, k_least_money, family_fit.low_confidence,
       coalesce((SELECT unit FROM stated_family_of_month AS declared WHERE declared.statement_month = family_fit.statement_month
                   AND declared.family = coalesce(jobs_family, family_fit.family)), 'nodes') AS unit
FROM family_fit
JOIN (SELECT family, sum(excess_minor) AS excess_minor, sum(cost_minor) AS cost_minor
      FROM report_run_size
      WHERE current_setting('kstar.cost_centre') IN ('', cost_centre)
      GROUP BY family) AS used ON used.family = coalesce(jobs_family, family_fit.family)
WHERE statement_month = current_setting('kstar.statement_month')::date AND k_star IS NOT NULL
ORDER BY coalesce(excess_minor, 0) DESC, cost_minor DESC NULLS LAST, family_fit.family COLLATE "C"
LIMIT 6;

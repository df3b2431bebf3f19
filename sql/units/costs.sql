-- The cost of the results that count in the month, by cost centre and family, and over all ('*').
-- Runs after report/02_results.sql.
SELECT CASE WHEN grouping(cost_centre) = 1 THEN '*' ELSE coalesce(cost_centre, '(none)') END AS cost_centre,
       CASE WHEN grouping(family) = 1 THEN '*' ELSE coalesce(family, '(none)') END           AS family,
       sum(results)::bigint AS results, sum(succeeded)::bigint AS succeeded, sum(models)::bigint AS models,
       round(sum(true_cost_minor) * max(unit), max(minor_unit_digits))      AS true_cost,
       round(sum(without_result_minor) * max(unit), max(minor_unit_digits)) AS without_result,
       round(sum(true_cost_minor) * max(unit) / nullif(sum(models), 0), max(minor_unit_digits)) AS cost_per_model,
       trim_scale(sum(trained_tokens)) AS trained_tokens,
       round(sum(token_cost_minor) * max(unit) * 1000000 / sum(trained_tokens), 6) AS cost_per_million_tokens,
       max(statement_currency) AS currency
FROM report_unit_cost
JOIN statement ON statement_month = current_setting('kstar.statement_month')::date
CROSS JOIN LATERAL (SELECT ('1e-' || minor_unit_digits)::numeric) AS minor_unit (unit)
WHERE current_setting('kstar.cost_centre') IN ('', cost_centre)
GROUP BY GROUPING SETS ((cost_centre, family), ())
HAVING count(*) > 0
ORDER BY grouping(family) DESC, cost_centre COLLATE "C", family COLLATE "C";

-- The month's results with declared models or known tokens. Runs after report/02_results.sql.
SELECT coalesce(cost_centre, '') AS cost_centre, coalesce(family, '') AS family, run_group, result, attempts,
       CASE WHEN is_shared THEN 'yes' ELSE '' END AS shared, to_char(delivered_on, 'YYYY-MM-DD') AS delivered_on, models,
       round(true_cost_minor * unit, minor_unit_digits)                         AS true_cost,
       round(true_cost_minor * unit / nullif(models, 0), minor_unit_digits)     AS cost_per_model, trim_scale(trained_tokens) AS trained_tokens,
       round(true_cost_minor * unit * 1000000 / trained_tokens, 6)              AS cost_per_million_tokens,
       statement_currency AS currency
FROM report_result
JOIN statement ON statement_month = current_setting('kstar.statement_month')::date
CROSS JOIN LATERAL (SELECT ('1e-' || minor_unit_digits)::numeric) AS minor_unit (unit)
WHERE current_setting('kstar.cost_centre') IN ('', cost_centre)
ORDER BY cost_centre COLLATE "C", family COLLATE "C", run_group COLLATE "C";

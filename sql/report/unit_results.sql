-- Sheet "Unit costs": the results that run_group_units.csv declares, or whose tokens are known.
SELECT coalesce(cost_centre, '(none)') AS cost_centre, coalesce(family, '(none)') AS family, run_group, result, attempts, last_end,
       delivered_on, is_shared, models, trained_tokens, true_cost_minor, without_result_minor,
       round(true_cost_minor / nullif(models, 0)::numeric)::bigint AS model_minor,
       round(true_cost_minor * unit * 1000000 / trained_tokens, 6) AS million_tokens
FROM report_result
JOIN statement ON statement_month = current_setting('kstar.statement_month')::date
CROSS JOIN LATERAL (SELECT ('1e-' || minor_unit_digits)::numeric) AS minor_unit (unit)
WHERE current_setting('kstar.cost_centre') IN ('', cost_centre)
ORDER BY cost_centre COLLATE "C", family COLLATE "C", run_group COLLATE "C";

-- Sheet "Unit costs": the results that count in the month, by cost centre and family. Unit costs
-- are rounded as the sheet's formulas round them, and null if the divisor is 0 or unknown.
SELECT coalesce(cost_centre, '(none)') AS cost_centre, coalesce(family, '(none)') AS family, results, succeeded,
       results - succeeded AS without_result, models, true_cost_minor, without_result_minor,
       round(true_cost_minor / nullif(models, 0)::numeric)::bigint AS model_minor, token_cost_minor, trained_tokens,
       round(token_cost_minor * unit * 1000000 / trained_tokens, 6) AS million_tokens
FROM report_unit_cost
JOIN statement ON statement_month = current_setting('kstar.statement_month')::date
CROSS JOIN LATERAL (SELECT ('1e-' || minor_unit_digits)::numeric) AS minor_unit (unit)
WHERE current_setting('kstar.cost_centre') IN ('', cost_centre)
ORDER BY cost_centre COLLATE "C", family COLLATE "C";

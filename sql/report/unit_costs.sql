-- Sheet "Unit costs": what counts in the month, by cost centre and family. Unit costs are rounded as the formulas round them; null
-- where there is nothing to divide by.
SELECT cost_centre, family, results, succeeded, results - succeeded AS without_result, models, true_cost_minor, without_result_minor,
       round(true_cost_minor / nullif(models, 0)::numeric)::bigint AS model_minor, token_cost_minor, trained_tokens,
       round(token_cost_minor * unit * 1000000 / trained_tokens, 6) AS million_tokens
FROM (SELECT coalesce(cost_centre, '(none)') AS cost_centre, coalesce(family, '(none)') AS family, count(*) AS results,
             count(*) FILTER (WHERE result = 'succeeded') AS succeeded, sum(models)::bigint AS models,
             sum(true_cost_minor)::bigint AS true_cost_minor, sum(without_result_minor)::bigint AS without_result_minor,
             sum(true_cost_minor) FILTER (WHERE has_tokens)::bigint AS token_cost_minor, sum(trained_tokens) AS trained_tokens
      FROM report_result
      WHERE current_setting('kstar.cost_centre') IN ('', cost_centre) AND result <> 'no such run group'
      GROUP BY 1, 2) AS added
JOIN statement ON statement_month = current_setting('kstar.statement_month')::date
CROSS JOIN LATERAL (SELECT ('1e-' || minor_unit_digits)::numeric) AS minor_unit (unit)
ORDER BY cost_centre COLLATE "C", family COLLATE "C";

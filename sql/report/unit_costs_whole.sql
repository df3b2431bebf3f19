-- Sheet "Unit costs": the unit costs of all rows together.
SELECT 'all' AS what, round(true_cost_minor / nullif(models, 0)::numeric)::bigint AS model_minor,
       round(without_result_minor / nullif(true_cost_minor, 0)::numeric, 12) AS without_result_share,
       round(token_cost_minor * unit * 1000000 / trained_tokens, 6) AS million_tokens
FROM (SELECT sum(models)::bigint AS models, sum(true_cost_minor)::bigint AS true_cost_minor,
             sum(without_result_minor)::bigint AS without_result_minor,
             sum(token_cost_minor)::bigint AS token_cost_minor, sum(trained_tokens) AS trained_tokens
      FROM report_unit_cost
      WHERE current_setting('kstar.cost_centre') IN ('', cost_centre)) AS added
JOIN statement ON statement_month = current_setting('kstar.statement_month')::date
CROSS JOIN LATERAL (SELECT ('1e-' || minor_unit_digits)::numeric) AS minor_unit (unit);

-- As adjustments.sql, for a reader.
SELECT to_char(statement_month, 'YYYY-MM') AS stands_in, coalesce(source, 'internal') AS source, line_type,
       coalesce(cost_centre, '') AS cost_centre, coalesce(component, '') AS component, subject, statement_currency AS currency,
       closed_amount AS as_closed, adjusted_amount AS adjusted_before, replayed_amount AS as_known_then,
       amount AS adjustment
FROM kstar_views.report_adjustment
WHERE adjusted_month = $1::date
  AND (current_setting('kstar.explain_by') NOT IN ('job', 'cost centre') OR cost_centre IN (SELECT asked.cost_centre FROM asked))
ORDER BY 1, 2, 3, 4, 5, 6;

-- Adjustments of closed month $1 on later statements, in the currencies of these. If a job or a
-- cost centre was asked for, those of its cost centres, otherwise all.
SELECT to_char(adjustment.statement_month, 'YYYY-MM') AS stands_in, coalesce(source, 'internal') AS source, line_type,
       coalesce(cost_centre, '') AS cost_centre, coalesce(component, '') AS component, subject, statement_currency AS currency,
       minor_amount(frozen_minor, minor_unit_digits)   AS as_closed,
       minor_amount(adjusted_minor, minor_unit_digits) AS adjusted_before,
       minor_amount(replayed_minor, minor_unit_digits) AS as_known_then,
       minor_amount(adjustment.minor_units, minor_unit_digits) AS adjustment
FROM adjustment
JOIN statement USING (statement_month)
WHERE adjusted_month = $1::date
  AND (current_setting('kstar.explain_by') NOT IN ('job', 'cost centre') OR cost_centre IN (SELECT asked.cost_centre FROM asked))
ORDER BY adjustment.statement_month, source COLLATE "C", line_type, cost_centre COLLATE "C", component, subject COLLATE "C";

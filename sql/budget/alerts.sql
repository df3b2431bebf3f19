-- The crossings of month $1 (YYYY-MM), as a site's hook receives them, spent before forecast. $2 to
-- $4, if given, select one cost centre, measure and threshold.
SELECT to_char(statement_month, 'YYYY-MM') AS period, cost_centre, name, measure, threshold,
       round(amount_minor * ('1e-' || statement.minor_unit_digits)::numeric, statement.minor_unit_digits)          AS amount,
       round(crossing.budget_minor * ('1e-' || statement.minor_unit_digits)::numeric, statement.minor_unit_digits) AS budget,
       round(amount_minor * 100.0 / nullif(crossing.budget_minor, 0), 1)                       AS percent,
       standing.statement_currency AS currency, standing.status AS statement,
       to_char(as_of, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS as_of, run_id
FROM statement
CROSS JOIN LATERAL budget_crossing(statement_month) AS crossing
JOIN LATERAL budget_standing(statement_month) AS standing USING (cost_centre)
WHERE statement_month = to_date($1, 'YYYY-MM')
  AND ($2::text IS NULL OR (cost_centre, measure, threshold) = ($2, $3, $4::numeric))
ORDER BY cost_centre COLLATE "C", measure DESC, threshold;

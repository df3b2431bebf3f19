-- Budget and spending of each cost centre in month $1 (YYYY-MM). Those with a budget come first, by
-- the share that is spent. If the month has no budgets, there are no rows. Money is in statement
-- currency. A month without a statement has budgets alone.
WITH standing AS (
    SELECT standing.*
    FROM budget_standing(to_date($1, 'YYYY-MM')) AS standing
    UNION ALL
    SELECT budget.cost_centre, NULL, round(amount * 10::numeric ^ digits)::bigint, NULL, NULL, '{}', '{}', digits, NULL, 'none'
    FROM budget
    -- The digits of the currency that the statement will have.
    CROSS JOIN LATERAL (SELECT coalesce((SELECT digits
                                         FROM setting JOIN currency_minor_unit ON currency = value
                                         WHERE parameter = 'statement_currency' AND valid_from < to_date($1, 'YYYY-MM') + interval '1 month'
                                           AND valid_to >= to_date($1, 'YYYY-MM') + interval '1 month'
                                         ORDER BY valid_from DESC LIMIT 1), 2)) AS unit (digits)
    WHERE month = $1 AND NOT EXISTS (SELECT FROM statement WHERE to_char(statement_month, 'YYYY-MM') = $1)
), crossed AS (
    SELECT cost_centre, string_agg(measure || ' ' || thresholds, '; ' ORDER BY measure DESC) AS words
    FROM (SELECT cost_centre, measure, string_agg(trim_scale(threshold)::text, ', ' ORDER BY threshold) || ' %' AS thresholds
          FROM budget_crossing(to_date($1, 'YYYY-MM'))
          GROUP BY cost_centre, measure) AS of_measure
    GROUP BY cost_centre
)
SELECT $1 AS period, standing.cost_centre, name, status AS statement, statement_currency AS currency,
       round(budget_minor * ('1e-' || minor_unit_digits)::numeric, minor_unit_digits)   AS budget,
       round(spent_minor * ('1e-' || minor_unit_digits)::numeric, minor_unit_digits)    AS spent,
       round(spent_minor * 100.0 / nullif(budget_minor, 0), 1)                          AS spent_percent,
       round(forecast_minor * ('1e-' || minor_unit_digits)::numeric, minor_unit_digits) AS forecast,
       round(forecast_minor * 100.0 / nullif(budget_minor, 0), 1)                       AS forecast_percent,
       budget_minor IS NOT NULL AND words IS NOT NULL                                   AS is_crossed,
       CASE WHEN budget_minor IS NULL THEN 'not budgeted' ELSE coalesce(words, '') END  AS crossed
FROM standing LEFT JOIN crossed USING (cost_centre)
WHERE EXISTS (SELECT FROM standing WHERE budget_minor IS NOT NULL)
ORDER BY budget_minor IS NULL, spent_minor::numeric / nullif(budget_minor, 0) DESC NULLS LAST, standing.cost_centre COLLATE "C";

-- What kstar advise --next prints: the experiments of the statement of month $1.
SELECT family, next_k AS run_on, trim_scale(hours) AS hours, minor_amount(price_minor, minor_unit_digits) AS price,
       minor_amount(cash_minor, minor_unit_digits) AS cash, minor_amount(capacity_minor, minor_unit_digits) AS capacity,
       minor_amount(value_minor, minor_unit_digits) AS saves_at_most, minor_amount(weekly_minor, minor_unit_digits) AS a_week, payback_weeks,
       minor_amount(stake_minor, minor_unit_digits) AS at_stake, next_measurement
FROM statement
CROSS JOIN LATERAL next_experiments(statement_month, ARRAY[''])
WHERE statement_month = $1::date
ORDER BY place;

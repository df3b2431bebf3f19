-- Planned trainings whose cost at K is unknown or above the limit, dearest first: those of month $1
-- (YYYY-MM), by default from the earliest open month on. If no open month has a statement, that is
-- the month after the last statement. Money is in the currency of the latest statement.
SELECT training, family, month, cost_centre, requested_by, k::bigint,
       round(hours::numeric, 2)                                                                AS hours,
       round(cost_minor * ('1e-' || minor_unit_digits)::numeric, minor_unit_digits)           AS cost,
       k_star::bigint, trim_scale(waiting_per_hour::numeric) AS waiting_per_hour, round(hours_at_k_star::numeric, 2)                                      AS hours_at_k_star,
       round(cost_at_k_star_minor * ('1e-' || minor_unit_digits)::numeric, minor_unit_digits) AS cost_at_k_star,
       statement_currency AS currency,
       coalesce('approved by ' || approved_by, 'to be approved')                               AS state,
       remark
FROM planned_training_cost
LEFT JOIN statement USING (statement_month)
WHERE CASE WHEN $1::text IS NULL
           THEN month >= coalesce((SELECT to_char(coalesce(min(statement_month) FILTER (WHERE status = 'Preliminary'),
                                                           max(statement_month) + interval '1 month'), 'YYYY-MM')
                                   FROM statement), '')
           ELSE month = $1 END
  AND needs_approval(statement_month, cost_minor)
ORDER BY cost_minor DESC NULLS FIRST, training COLLATE "C";

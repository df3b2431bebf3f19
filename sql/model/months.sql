-- The open months: those with a bill, with adjustments of closed months, or with an open statement.
-- is_current: the present data and rules would give the same statement. $1 is the rules
-- (base/postgres/identity.h), $2 a month or NULL for all. kstar.as_of has an as-of, if one is set.
SELECT to_char(statement_month, 'YYYY-MM-DD'),
       coalesce(run_id = statement_run_id(statement_month, $1), false)
       AND statement_month NOT IN (SELECT statement_month FROM withdrawn_statement) AS is_current
FROM (SELECT statement_month FROM open_month
      UNION
      SELECT adjustment_carrier(adjusted_month) FROM prior_period_difference
      UNION
      SELECT statement_month FROM statement WHERE status = 'Preliminary') AS open
LEFT JOIN statement USING (statement_month)
WHERE $2::date IS NULL OR statement_month = $2::date
ORDER BY statement_month;

-- The failed-run factors of the statement of month $1, by default of the latest one; the widest
-- first.
SELECT to_char(statement_month, 'YYYY-MM') AS month, to_char(window_from, 'YYYY-MM') AS since, cost_centre, family,
       failed_attempts AS failed, productive_attempts AS productive, cancelled_attempts AS cancelled,
       minor_amount(failed_minor, minor_unit_digits) AS failed_cost, minor_amount(productive_minor, minor_unit_digits) AS productive_cost,
       minor_amount(cancelled_minor, minor_unit_digits) AS cancelled_cost, statement_currency AS currency,
       coalesce(trim_scale(factor)::text, '') AS factor, factor_from AS "from"
FROM failed_run_factor
JOIN statement USING (statement_month)
WHERE statement_month = coalesce(nullif($1, '')::date, (SELECT max(statement_month) FROM statement))
ORDER BY cost_centre <> '*', family <> '*', cost_centre COLLATE "C", family COLLATE "C";

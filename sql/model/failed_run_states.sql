-- How attempts ended in the window of the statement of month $1, by default of the latest one.
SELECT state, outcome, attempts, trim_scale(node_hours)::text AS node_hours,
       minor_amount(cost_minor, minor_unit_digits) AS cost, statement_currency AS currency
FROM failed_run_state
JOIN statement USING (statement_month)
WHERE statement_month = coalesce(nullif($1, '')::date, (SELECT max(statement_month) FROM statement))
ORDER BY cost_minor DESC, state COLLATE "C";

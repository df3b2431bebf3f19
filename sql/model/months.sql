-- The open months, and whether their statement is what the present data and rules would give.
-- $1 is the version, $2 a month or NULL for all; an as-of is set in kstar.as_of.
SELECT to_char(statement_month, 'YYYY-MM-DD'),
       coalesce(run_id = statement_run_id(statement_month, $1), false) AS is_current
FROM (SELECT DISTINCT load.statement_month FROM load JOIN current_load USING (load_id)) AS billed
LEFT JOIN statement USING (statement_month)
WHERE status IS DISTINCT FROM 'Final' AND ($2::date IS NULL OR statement_month = $2::date)
ORDER BY statement_month;

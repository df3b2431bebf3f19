-- What kstar could not see in the last month that has a statement, in one sentence.
SELECT to_char(statement_month, 'YYYY-MM') AS "month", coverage_text(statement_month, '') AS "coverage"
FROM statement
ORDER BY statement_month DESC
LIMIT 1;

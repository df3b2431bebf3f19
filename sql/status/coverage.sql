-- What kstar could not see in the latest month with a statement, in one sentence.
SELECT to_char(statement_month, 'YYYY-MM') AS "month", "coverage"
FROM statement
CROSS JOIN LATERAL coverage_texts(statement_month, ARRAY['']) AS everybody
ORDER BY statement_month DESC
LIMIT 1;

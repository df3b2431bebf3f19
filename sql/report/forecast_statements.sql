-- Sheet "About": the statements in the forecast's history.
SELECT to_char(statement_month, 'YYYY-MM') AS month, status, statement.as_of, run_id
FROM statement
JOIN forecast_book ON statement_month BETWEEN (content->'head'->>'base_from')::date AND (content->'head'->>'base_to')::date
ORDER BY statement_month;

-- The month closed last.
SELECT to_char(statement_month, 'YYYY-MM-DD') FROM closure ORDER BY close_number DESC LIMIT 1;

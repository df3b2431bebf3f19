-- The closed months whose facts are neither those of their close nor those of their latest replay, in the order of their
-- close.
SELECT to_char(closure.statement_month, 'YYYY-MM-DD')
FROM closure
LEFT JOIN replay USING (statement_month)
CROSS JOIN LATERAL (SELECT statement_facts(closure.statement_month) AS facts) AS today
WHERE facts <> closure.facts_sha256 AND facts IS DISTINCT FROM replay.facts_sha256
ORDER BY close_number;

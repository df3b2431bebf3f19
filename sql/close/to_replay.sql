-- The closed months to replay, in the order of their close: those whose facts are neither those of
-- their close nor those of their latest replay, and those whose replay took rates or other choices
-- of today that have changed since. A pruned month says what it says.
SELECT to_char(closure.statement_month, 'YYYY-MM-DD')
FROM closure
LEFT JOIN replay USING (statement_month)
JOIN facts_of_months(ARRAY(SELECT statement_month FROM closure WHERE statement_month NOT IN (SELECT statement_month FROM pruned_month))) AS today
     USING (statement_month)
WHERE facts <> closure.facts_sha256 AND facts IS DISTINCT FROM replay.facts_sha256
   OR EXISTS (SELECT
              FROM replay_rate AS taken
              LEFT JOIN LATERAL rate_on(currency, statement_currency, day, NULL) AS rate_today ON true
              WHERE taken.statement_month = closure.statement_month AND rate_today.rate IS DISTINCT FROM taken.rate)
   OR taken_sha256 IS DISTINCT FROM CASE WHEN replay.statement_month IS NOT NULL THEN taken_since(replay.statement_month) END
ORDER BY close_number;

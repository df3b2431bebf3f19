-- The closed months to replay, in the order of their close: those whose facts are neither those of
-- their close nor those of their latest replay, and those whose replay took rates or dates of
-- invoices of today that have changed since. A pruned month says what it says.
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
   OR EXISTS (SELECT
              FROM replayed_invoice AS taken
              LEFT JOIN invoice_amount AS today ON today.invoice_id = taken.invoice_id AND today.currency = taken.billing_currency
                                               AND today.invoice_issuer_name = taken.invoice_issuer_name
              WHERE taken.statement_month = closure.statement_month AND takes_date
                AND today.invoice_date IS DISTINCT FROM taken.invoice_date)
ORDER BY close_number;

-- Stores the sums of a replay. statement_sum and statement_invoice are the replay's own
-- (shadow.sql).
DELETE FROM replay WHERE statement_month = current_setting('kstar.replayed_month')::date;
INSERT INTO replay (statement_month, facts_sha256)
SELECT statement_month, statement_facts(statement_month) FROM month;

INSERT INTO replayed_cell (statement_month, source, line_type, cost_centre, component, subject, gl_account, minor_units)
SELECT statement_month, source, line_type, statement_sum.cost_centre,
       CASE line_type WHEN 'charge' THEN component END,
       cell_subject(block, line_type, is_of_attempts, pool, reason, row_key), gl_account, sum(statement_sum.minor_units)
FROM statement_sum
LEFT JOIN statement_invoice USING (statement_month, invoice_key)
GROUP BY 1, 2, 3, 4, 5, 6, 7;

INSERT INTO replayed_undeclared (statement_month, cost_centre)
SELECT statement_month, cost_centre FROM ended_centre CROSS JOIN month WHERE is_undeclared;

INSERT INTO replayed_source (statement_month, source, minor_units)
SELECT statement_month, source, sum(minor_units)
FROM statement_invoice
GROUP BY statement_month, source;

INSERT INTO replayed_invoice (statement_month, invoice_key, source, invoice_issuer_name, invoice_id, billing_currency, line_count,
                              billed_cost)
SELECT statement_month, invoice_key, source, invoice_issuer_name, invoice_id, billing_currency, line_count + quarantined_count, billed_cost
FROM statement_invoice;

UPDATE replay SET taken_sha256 = taken_since(statement_month)
WHERE statement_month = current_setting('kstar.replayed_month')::date;

INSERT INTO replay_rate (statement_month, currency, statement_currency, day, rate)
SELECT statement_month, billing_currency, statement_currency, wanted_date, exchange_rate
FROM invoice_rate CROSS JOIN month
WHERE NOT is_frozen
UNION
SELECT statement_month, currency, statement_currency, last_day, exchange_rate
FROM transfer CROSS JOIN month
WHERE NOT is_frozen;

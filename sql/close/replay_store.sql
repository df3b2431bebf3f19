-- What the replay says, added up; statement_sum and statement_invoice are the replay's own.
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
                              billed_cost, takes_date, invoice_date)
SELECT statement_month, invoice_key, source, billed.invoice_issuer_name, billed.invoice_id, billing_currency,
       line_count + quarantined_count, billed_cost, takes_date, CASE WHEN takes_date THEN today.invoice_date END
FROM statement_invoice AS billed
CROSS JOIN LATERAL (
    SELECT billing_currency <> statement_currency
           AND NOT EXISTS (SELECT FROM kstar.statement_invoice AS closed
                           WHERE closed.statement_month = billed.statement_month AND closed.invoice_id = billed.invoice_id
                             AND coalesce(closed.invoice_issuer_name, billed.invoice_issuer_name) = billed.invoice_issuer_name
                             AND closed.billing_currency = billed.billing_currency)
           AND NOT EXISTS (SELECT FROM kstar.frozen_reference
                           WHERE frozen_reference.statement_month = billed.statement_month AND table_name = 'invoice_amount'
                             AND content ->> 'invoice_id' = billed.invoice_id
                             AND content ->> 'invoice_issuer_name' = billed.invoice_issuer_name
                             AND content ->> 'currency' = billed.billing_currency)
           AND NOT EXISTS (SELECT FROM named_since AS named
                           WHERE named.invoice_id = billed.invoice_id AND named.billing_currency = billed.billing_currency
                             AND coalesce(named.invoice_issuer_name = billed.invoice_issuer_name, true))
    FROM month
) AS of_close (takes_date)
LEFT JOIN kstar.invoice_amount AS today ON today.invoice_id = billed.invoice_id AND today.currency = billed.billing_currency
                                       AND today.invoice_issuer_name = billed.invoice_issuer_name;

INSERT INTO replay_rate (statement_month, currency, statement_currency, day, rate)
SELECT statement_month, billing_currency, statement_currency, wanted_date, exchange_rate
FROM invoice_rate CROSS JOIN month
WHERE NOT is_frozen
UNION
SELECT statement_month, currency, statement_currency, last_day, exchange_rate
FROM transfer CROSS JOIN month
WHERE NOT is_frozen;

-- The prior-period adjustments that this statement carries: what each closed month would have
-- today, less its amounts as closed, less what closed statements have adjusted since
-- (docs/late-facts.md). They are made anew with the statement, never appended. A closed month in
-- another currency is converted at the rate of this month's last day, as transfers are
-- (docs/amounts.md, Cents). Its sum by source is rounded half away from zero, and its cells get
-- that sum by largest remainder. Internal charges do so by kind first, because the journal books
-- only kinds that a setting names; the part of jobs without a cost centre is a kind of its own.
-- What is adjusted is counted in the closed month's currency. `factor` converts its minor units to
-- those of this statement. Null: there is no rate, and the adjustments wait.
CREATE TEMP TABLE carried_month ON COMMIT DROP AS
SELECT closed.statement_month AS adjusted_month, closed.statement_currency AS own_currency, closed.minor_unit_digits AS own_digits,
       rate.rate AS exchange_rate, rate_date, is_to_come,
       CASE WHEN closed.statement_currency = month.statement_currency THEN 1
            ELSE rate.rate * ('1e' || month.minor_unit_digits - closed.minor_unit_digits)::numeric END AS factor
FROM closure
JOIN statement AS closed USING (statement_month)
JOIN month ON adjustment_carrier(closed.statement_month) = month.statement_month
LEFT JOIN LATERAL pg_temp.rate_of(closed.statement_currency, last_day) AS rate
       ON closed.statement_currency <> month.statement_currency;

INSERT INTO adjustment (statement_month, adjusted_month, source, line_type, cost_centre, component, subject, gl_account,
                        frozen_minor, adjusted_minor, replayed_minor, minor_units, own_minor, exchange_rate, rate_date)
WITH exact AS (
    SELECT difference.*, exchange_rate, rate_date, round(frozen_minor * factor) AS frozen, round(adjusted_minor * factor) AS adjusted,
           difference.minor_units * factor AS amount, CASE WHEN source IS NULL THEN internal_charge(component) END AS transfer
    FROM prior_period_difference AS difference
    JOIN carried_month USING (adjusted_month)
    WHERE factor IS NOT NULL
), parent AS (
    SELECT adjusted_month, source, transfer, sum(amount) AS amount
    FROM exact
    GROUP BY adjusted_month, source, transfer
), ranked_parent AS (
    SELECT parent.*, round(sum(amount) OVER of_source) - sum(floor(amount)) OVER of_source AS missing,
           row_number() OVER (PARTITION BY adjusted_month, source ORDER BY amount - floor(amount) DESC, component.position) AS turn
    FROM parent
    LEFT JOIN component ON component = transfer
    WINDOW of_source AS (PARTITION BY adjusted_month, source)
), ranked AS (
    SELECT exact.*, floor(parent.amount) + (parent.turn <= parent.missing)::integer - sum(floor(exact.amount)) OVER of_parent AS missing,
           row_number() OVER (PARTITION BY adjusted_month, exact.source, exact.transfer
                              ORDER BY exact.amount - floor(exact.amount) DESC, cost_centre COLLATE "C", component.position, line_type COLLATE "C",
                                       subject COLLATE "C", gl_account COLLATE "C") AS turn
    FROM exact
    JOIN ranked_parent AS parent USING (adjusted_month)
    LEFT JOIN component USING (component)
    WHERE (exact.source, exact.transfer) IS NOT DISTINCT FROM (parent.source, parent.transfer)
    WINDOW of_parent AS (PARTITION BY adjusted_month, exact.source, exact.transfer)
)
SELECT month.statement_month, adjusted_month, source, line_type, cost_centre, component, subject, gl_account,
       frozen, adjusted, frozen + adjusted + carried, carried, minor_units, exchange_rate, rate_date
FROM ranked
CROSS JOIN month
CROSS JOIN LATERAL (SELECT floor(amount) + (turn <= missing)::integer) AS of_cell (carried);

INSERT INTO statement_note (statement_month, kind, subject, quantity, unit, note, blocks_close)
SELECT statement_month, 'adjustments converted', to_char(adjusted_month, 'YYYY-MM'), exchange_rate, statement_currency || ' per ' || own_currency,
       'the closed month is in ' || own_currency || '; the rate is of ' || to_char(rate_date, 'YYYY-MM-DD'), false
FROM carried_month
CROSS JOIN month
WHERE exchange_rate IS NOT NULL AND adjusted_month IN (SELECT adjusted_month FROM prior_period_difference)
UNION ALL
SELECT statement_month, 'no exchange rate', to_char(adjusted_month, 'YYYY-MM'),
       sum(minor_units) FILTER (WHERE source IS NOT NULL) * ('1e-' || own_digits)::numeric, own_currency,
       format('from %s to %s for %s: the adjustments of the closed month wait for it', own_currency, statement_currency, last_day), true
FROM carried_month
JOIN prior_period_difference USING (adjusted_month)
CROSS JOIN month
WHERE factor IS NULL
GROUP BY statement_month, adjusted_month, own_currency, own_digits, statement_currency, last_day;

-- What a replay could not read or explain blocks the close of this statement, as it would have
-- blocked the close of the replayed month.
INSERT INTO statement_note (statement_month, kind, subject, quantity, unit, note, blocks_close)
SELECT month.statement_month, note_kind, to_char(closure.statement_month, 'YYYY-MM') || ': ' || place,
       CASE WHEN is_read THEN billed_cost END, CASE WHEN is_read THEN billing_currency END, note, true
FROM month
JOIN closure ON adjustment_carrier(closure.statement_month) = month.statement_month
JOIN quarantined_money ON quarantined_money.statement_month = closure.statement_month
JOIN current_load USING (load_id)
WHERE note_kind IS NOT NULL
UNION ALL
SELECT statement_month, 'awaiting job records', to_char(adjusted_month, 'YYYY-MM'),
       sum(minor_units) * ('1e-' || minor_unit_digits)::numeric, statement_currency,
       'what was billed since for the closed month lies after the last job record', true
FROM adjustment JOIN month USING (statement_month)
WHERE line_type = 'unallocated' AND subject = 'awaiting job records'
GROUP BY statement_month, adjusted_month, statement_currency, minor_unit_digits
HAVING sum(minor_units) > 0
UNION ALL
SELECT statement_month, 'unexplained difference', to_char(adjusted_month, 'YYYY-MM') || ': ' || subject,
       minor_units * ('1e-' || minor_unit_digits)::numeric, statement_currency,
       'billed and effective cost of the closed month differ without a commitment', true
FROM adjustment JOIN month USING (statement_month)
WHERE line_type = 'unexplained';

-- Runs that are missing from later exports and whose end is unknown, by the month in which their
-- charged time ends.
CREATE TEMP TABLE missing_runs ON COMMIT DROP AS
SELECT date_trunc('month', end_time)::date AS known_month, cluster, count(*) AS runs,
       'running when last exported, missing from later exports, charged up to then: '
       || string_agg(job_id, ', ' ORDER BY turn) FILTER (WHERE turn <= 3) || CASE WHEN count(*) > 3 THEN ' and ' || count(*) - 3 || ' more' ELSE '' END
       || '; an export with -S ' || to_char(min(end_time) - interval '1 day', 'YYYY-MM-DD') || ' names them' AS note
FROM (SELECT job.cluster, job.job_id, attempt.end_time,
             row_number() OVER (PARTITION BY job.cluster, date_trunc('month', attempt.end_time) ORDER BY job.job_id COLLATE "C", attempt_id) AS turn
      FROM job
      JOIN attempt USING (attempt_id)
      JOIN job_listing USING (source)
      WHERE job_listing.cluster = job.cluster AND job.end_time IS NULL AND is_missing_later(exported_to, listed_to)
        AND (followed_at > exported_to) IS NOT FALSE) AS missing_later
GROUP BY 1, cluster;

-- Runs missing since a time in a closed month block this close as well, unless that month, or a
-- later closed one, was closed with as many of them.
INSERT INTO statement_note (statement_month, kind, subject, quantity, unit, note, blocks_close)
SELECT month.statement_month, 'runs missing from later exports', of_month.subject, runs, 'jobs', missing_runs.note, true
FROM month
CROSS JOIN carried_month
JOIN missing_runs ON known_month = adjusted_month
CROSS JOIN LATERAL (SELECT to_char(adjusted_month, 'YYYY-MM') || ': ' || cluster) AS of_month (subject)
WHERE runs > ALL (SELECT quantity
                  FROM statement_note AS accepted
                  JOIN statement USING (statement_month)
                  WHERE status = 'Final' AND kind = 'runs missing from later exports'
                    AND (accepted.subject = of_month.subject OR (accepted.subject = cluster AND statement_month = adjusted_month)));

-- Invoices of closed months that differ from their bill by more than FOCUS's tolerance, as in
-- results/06_invoice_amounts.sql. Both are taken as of today: a closed month counts as replayed, or
-- as closed if there was nothing to replay. If an open month bills the invoice, too, the note is
-- that month's.
INSERT INTO statement_note (statement_month, kind, subject, quantity, unit, note, blocks_close)
WITH billed AS (
    SELECT statement_month, source, invoice_issuer_name, invoice_id, billing_currency, line_count + quarantined_count AS line_count, billed_cost
    FROM statement_invoice
    WHERE statement_month IN (SELECT statement_month FROM closure) AND statement_month NOT IN (SELECT statement_month FROM replay)
    UNION ALL
    SELECT statement_month, source, invoice_issuer_name, invoice_id, billing_currency, line_count, billed_cost
    FROM replayed_invoice
    UNION ALL -- an invoice that the replay does not bill any more has no lines
    SELECT statement_month, source, invoice_issuer_name, invoice_id, billing_currency, 0, 0
    FROM statement_invoice
    WHERE statement_month IN (SELECT statement_month FROM replay)
), open_load AS (
    SELECT load_id, delivery_id, billing_period
    FROM load JOIN current_load USING (load_id, billing_period)
    WHERE statement_month NOT IN (SELECT statement_month FROM closure)
), open_invoice AS (
    SELECT invoice_issuer_name, invoice_id, billing_currency
    FROM invoice
    WHERE invoice_key IN (SELECT invoice_key FROM open_load JOIN load_chunk USING (load_id, billing_period) JOIN chunk_invoice USING (chunk_id, billing_period)
                          UNION ALL
                          SELECT invoice_key FROM open_load JOIN quarantined_row USING (delivery_id, billing_period) WHERE billed_cost IS NOT NULL)
), invoice_of_closed AS (
    SELECT min(billed.statement_month) AS first_closed, max(billed.statement_month) AS last_closed,
           string_agg(DISTINCT source COLLATE "C", ', ' ORDER BY source COLLATE "C") AS sources,
           billed.invoice_id, billing_currency, net_amount + tax_amount - sum(billed_cost) AS difference,
           greatest(100, round(sqrt(sum(line_count)) * 0.5, 6)) * ('1e-' || coalesce(digits, 2))::numeric AS tolerance
    FROM billed
    LEFT JOIN sole_issuer USING (invoice_id, billing_currency)
    JOIN invoice_amount AS invoiced ON invoiced.invoice_id = billed.invoice_id AND invoiced.currency = billing_currency
                                   AND invoiced.invoice_issuer_name = coalesce(billed.invoice_issuer_name, issuer)
    LEFT JOIN currency_minor_unit ON currency_minor_unit.currency = billing_currency
    WHERE NOT EXISTS (SELECT FROM open_invoice
                      WHERE open_invoice.invoice_id = invoiced.invoice_id AND open_invoice.billing_currency = invoiced.currency
                        AND coalesce(open_invoice.invoice_issuer_name, issuer) = invoiced.invoice_issuer_name)
    GROUP BY invoiced.invoice_issuer_name, billed.invoice_id, billing_currency, net_amount, tax_amount, digits
)
SELECT statement_month, 'invoice differs from its bill', to_char(first_closed, 'YYYY-MM') || ': ' || sources || ' ' || invoice_id,
       difference, billing_currency, 'as the closed month is billed today; beyond FOCUS''s tolerance of ' || trim_scale(tolerance), true
FROM invoice_of_closed
JOIN month ON adjustment_carrier(last_closed) = statement_month
WHERE abs(difference) > tolerance;

-- Adjustments of cost centres that have ended since. An ended cost centre takes no posting, so the
-- journal books its adjustments to the suspense account, like charges. The close is blocked for the
-- same reasons as for charges (suspense.sql).
INSERT INTO statement_note (statement_month, kind, subject, quantity, unit, note, blocks_close)
WITH adjusted AS (
    SELECT statement_month, cost_centre,
           bool_or((adjusted_month, cost_centre) IN (SELECT statement_month, cost_centre FROM replayed_undeclared)) AS is_undeclared,
           bool_and(coalesce(stated_setting_value(adjusted_month, 'suspense_gl_account', NULL),
                             pg_temp.setting_on('suspense_gl_account', last_day, NULL)) IS NOT NULL) AS has_account
    FROM adjustment
    JOIN month USING (statement_month)
    WHERE line_type = 'charge'
      AND NOT EXISTS (SELECT FROM cost_centre WHERE cost_centre.cost_centre = adjustment.cost_centre
                                                AND valid_from <= last_day AND last_day < valid_to)
    GROUP BY statement_month, cost_centre
)
SELECT statement_month, 'suspense', cost_centre, NULL, NULL,
       pg_temp.suspense_note('adjusted in a closed month, and not in cost_centres.csv on this month''s last day', is_undeclared, has_account),
       is_undeclared OR NOT has_account
FROM adjusted
WHERE NOT EXISTS (SELECT FROM statement_note -- a note that blocks, or that says the same, is enough
                  WHERE statement_note.statement_month = adjusted.statement_month AND kind = 'suspense' AND subject = adjusted.cost_centre
                    AND (blocks_close OR NOT is_undeclared AND has_account));

-- The proof: Σ adjustments of a month and source = its invoices as replayed − as closed − what
-- closed statements have adjusted. Internal charges have no invoice and only move cost from one
-- cost centre to another: all three are 0.
CREATE TEMP TABLE adjustment_due ON COMMIT DROP AS
WITH source_amount AS (
    SELECT statement_month AS adjusted_month, source, minor_units AS frozen, 0 AS adjusted,
           CASE WHEN EXISTS (SELECT FROM replay WHERE replay.statement_month = statement_invoice.statement_month)
                THEN 0 ELSE minor_units END AS replayed
    FROM statement_invoice
    UNION ALL
    SELECT statement_month, source, 0, 0, minor_units FROM replayed_source
    UNION ALL
    SELECT adjusted_month, source, 0, adjustment.own_minor, 0
    FROM adjustment JOIN statement USING (statement_month)
    WHERE status = 'Final' AND source IS NOT NULL
    UNION ALL
    SELECT DISTINCT adjusted_month, NULL, 0, 0, 0
    FROM adjustment JOIN month USING (statement_month)
    WHERE source IS NULL
)
SELECT adjusted_month, source, factor, sum(frozen) AS frozen, sum(adjusted) AS adjusted, sum(replayed - frozen - adjusted) AS due
FROM source_amount
JOIN carried_month USING (adjusted_month)
WHERE factor IS NOT NULL
GROUP BY adjusted_month, source, factor
HAVING sum(replayed - frozen - adjusted) <> 0
    OR EXISTS (SELECT FROM adjustment JOIN month USING (statement_month)
               WHERE adjustment.adjusted_month = source_amount.adjusted_month AND adjustment.source IS NOT DISTINCT FROM source_amount.source);

INSERT INTO adjustment_proof (statement_month, adjusted_month, source, frozen_minor, adjusted_minor, replayed_minor)
SELECT statement_month, adjusted_month, source, round(frozen * factor), round(adjusted * factor),
       round(frozen * factor) + round(adjusted * factor) + round(due * factor)
FROM adjustment_due CROSS JOIN month;

SELECT pg_temp.refuse('adjustments = invoices as replayed − as closed − adjusted since', count(*),
                      min(to_char(adjusted_month, 'YYYY-MM') || ' ' || coalesce(source, 'internal')))
FROM adjustment_due
CROSS JOIN LATERAL (SELECT coalesce(sum(own_minor), 0) AS own, coalesce(sum(minor_units), 0) AS carried
                    FROM adjustment JOIN month USING (statement_month)
                    WHERE adjustment.adjusted_month = adjustment_due.adjusted_month
                      AND adjustment.source IS NOT DISTINCT FROM adjustment_due.source) AS stands
WHERE own <> due OR carried <> round(due * factor);

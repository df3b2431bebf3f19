-- Prior-period adjustments that this statement carries: what each closed month would say today, less what it said, less
-- what closed statements have adjusted since (docs/close.md). Made anew with the statement, never appended.
DO $$
DECLARE
    other record;
BEGIN
    SELECT statement.statement_month, statement.statement_currency INTO other
    FROM prior_period_difference
    JOIN statement ON statement.statement_month = adjusted_month
    JOIN month ON adjustment_carrier(adjusted_month) = month.statement_month
    WHERE statement.statement_currency <> month.statement_currency
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'the adjustments of % are in %, this statement in %', to_char(other.statement_month, 'YYYY-MM'),
            other.statement_currency, (SELECT statement_currency FROM month)
            USING ERRCODE = 'KS002',
                  HINT = 'close this month in the currency of the closed one; a new statement_currency can begin a month later';
    END IF;
END
$$;

INSERT INTO adjustment (statement_month, adjusted_month, source, line_type, cost_centre, component, subject, gl_account,
                        frozen_minor, adjusted_minor, replayed_minor, minor_units)
SELECT statement_month, adjusted_month, source, line_type, cost_centre, component, subject, gl_account,
       frozen_minor, adjusted_minor, replayed_minor, minor_units
FROM prior_period_difference
JOIN month ON adjustment_carrier(adjusted_month) = statement_month;

-- What a replay could not read or explain keeps this statement from its close, as it would have kept that one.
INSERT INTO statement_note (statement_month, kind, subject, quantity, unit, note, blocks_close)
SELECT month.statement_month, 'unread money', to_char(load.statement_month, 'YYYY-MM') || ': ' || file_id || ', line ' || line_number,
       NULL, NULL, reason, true
FROM month
JOIN closure ON adjustment_carrier(closure.statement_month) = month.statement_month
JOIN load ON load.statement_month = closure.statement_month
JOIN current_load USING (load_id)
JOIN rejected_row ON rejected_row.delivery_id = load.delivery_id AND rejected_row.billing_period = load.billing_period
WHERE billed_cost IS NULL OR effective_cost IS NULL OR invoice_key IS NULL
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

-- An invoice of closed months is held against its bill as both are today, past FOCUS's tolerance as an open month's is (allocate/18_notes.sql):
-- all that is billed of it up to this statement, closed months as they were replayed, or as closed where there was nothing to replay.
INSERT INTO statement_note (statement_month, kind, subject, quantity, unit, note, blocks_close)
WITH billed AS (
    SELECT statement_month, source, invoice_issuer_name, invoice_id, billing_currency, line_count + quarantined_count AS line_count, billed_cost
    FROM statement_invoice
    WHERE statement_month NOT IN (SELECT statement_month FROM replay)
    UNION ALL
    SELECT statement_month, source, invoice_issuer_name, invoice_id, billing_currency, line_count, billed_cost
    FROM replayed_invoice
    UNION ALL -- of an invoice that a replay does not bill any more there are no lines
    SELECT statement_month, source, invoice_issuer_name, invoice_id, billing_currency, 0, 0
    FROM statement_invoice
    WHERE statement_month IN (SELECT statement_month FROM replay)
), invoice_of_closed AS (
    SELECT min(closure.statement_month) AS first_closed, max(closure.statement_month) AS last_closed,
           string_agg(DISTINCT source COLLATE "C", ', ' ORDER BY source COLLATE "C") AS sources,
           billed.invoice_id, billing_currency, net_amount + tax_amount - sum(billed_cost) AS difference,
           greatest(100, round(sqrt(sum(line_count)) * 0.5, 6)) * ('1e-' || coalesce(digits, 2))::numeric AS tolerance
    FROM billed
    JOIN month ON billed.statement_month <= month.statement_month
    JOIN invoice_amount AS told ON told.invoice_id = billed.invoice_id AND told.currency = billing_currency
                               AND told.invoice_issuer_name = billed.invoice_issuer_name
    LEFT JOIN closure ON closure.statement_month = billed.statement_month
    LEFT JOIN currency_minor_unit ON currency_minor_unit.currency = billing_currency
    GROUP BY billed.invoice_issuer_name, billed.invoice_id, billing_currency, net_amount, tax_amount, digits
)
SELECT statement_month, 'invoice differs from its bill', to_char(first_closed, 'YYYY-MM') || ': ' || sources || ' ' || invoice_id,
       difference, billing_currency, 'as the closed month is billed today; beyond FOCUS''s tolerance of ' || trim_scale(tolerance), true
FROM invoice_of_closed
JOIN month ON adjustment_carrier(last_closed) = statement_month
WHERE last_closed IS NOT NULL AND abs(difference) > tolerance;

-- A cost centre that has ended since can be adjusted, but takes no posting: the journal has it on the suspense account, as it has charges.
INSERT INTO statement_note (statement_month, kind, subject, quantity, unit, note, blocks_close)
SELECT statement_month, 'suspense', cost_centre, NULL, NULL,
       'adjusted in a closed month, and not in cost_centres.csv on this month''s last day', true
FROM (SELECT DISTINCT statement_month, cost_centre, last_day FROM adjustment JOIN month USING (statement_month)
      WHERE line_type = 'charge') AS adjusted
WHERE NOT EXISTS (SELECT FROM cost_centre WHERE cost_centre.cost_centre = adjusted.cost_centre
                                            AND valid_from <= last_day AND last_day < valid_to)
  AND NOT EXISTS (SELECT FROM statement_note WHERE statement_note.statement_month = adjusted.statement_month
                                               AND kind = 'suspense' AND subject = adjusted.cost_centre);

-- Σ adjustments of a month and source = its invoices as replayed − as closed − what closed statements have adjusted; off the
-- bill, where there is no invoice, they are a transfer and all three are 0.
INSERT INTO adjustment_proof (statement_month, adjusted_month, source, frozen_minor, adjusted_minor, replayed_minor)
WITH told AS (
    SELECT statement_month AS adjusted_month, source, minor_units AS frozen, 0 AS adjusted,
           CASE WHEN EXISTS (SELECT FROM replay WHERE replay.statement_month = statement_invoice.statement_month)
                THEN 0 ELSE minor_units END AS replayed
    FROM statement_invoice
    UNION ALL
    SELECT statement_month, source, 0, 0, minor_units FROM replayed_source
    UNION ALL
    SELECT adjusted_month, source, 0, adjustment.minor_units, 0
    FROM adjustment JOIN statement USING (statement_month)
    WHERE status = 'Final' AND source IS NOT NULL
    UNION ALL
    SELECT DISTINCT adjusted_month, NULL, 0, 0, 0
    FROM adjustment JOIN month USING (statement_month)
    WHERE source IS NULL
)
SELECT month.statement_month, adjusted_month, source, sum(frozen), sum(adjusted), sum(replayed)
FROM told
JOIN month ON adjustment_carrier(adjusted_month) = month.statement_month
WHERE adjusted_month IN (SELECT statement_month FROM closure)
GROUP BY month.statement_month, adjusted_month, source
HAVING sum(replayed) <> sum(frozen) + sum(adjusted)
    OR EXISTS (SELECT FROM adjustment
               WHERE adjustment.statement_month = month.statement_month AND adjustment.adjusted_month = told.adjusted_month
                 AND adjustment.source IS NOT DISTINCT FROM told.source);

SELECT pg_temp.refuse('adjustments = invoices as replayed − as closed − adjusted since', count(*),
                      min(to_char(adjusted_month, 'YYYY-MM') || ' ' || coalesce(source, 'off the bill')))
FROM (SELECT adjustment_proof.*,
             coalesce((SELECT sum(minor_units) FROM adjustment
                       WHERE adjustment.statement_month = adjustment_proof.statement_month
                         AND adjustment.adjusted_month = adjustment_proof.adjusted_month
                         AND adjustment.source IS NOT DISTINCT FROM adjustment_proof.source), 0) AS carried
      FROM adjustment_proof JOIN month USING (statement_month)) AS proof
WHERE carried <> replayed_minor - frozen_minor - adjusted_minor;

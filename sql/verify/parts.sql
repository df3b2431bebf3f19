-- The archived parts of a closed month (in `explained`) add up to its statement. Parts of lines add
-- up to each invoice, billed and effective. All parts of a payer add up to its rows, in statement
-- currency. $1 is the month.
WITH line AS (
    SELECT source, invoice_issuer, invoice_id, billing_currency, sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
    FROM explained WHERE kind = 'line' GROUP BY 1, 2, 3, 4
), invoiced AS (
    SELECT coalesce(line.billed_cost, 0) <> coalesce(stated.billed_cost, 0) OR coalesce(line.effective_cost, 0) <> coalesce(stated.effective_cost, 0) AS differs,
           format('invoice %s of %s: %s billed and %s effective, its parts have %s and %s', coalesce(stated.invoice_id, line.invoice_id, '(open)'),
                  coalesce(stated.source, line.source), coalesce(stated.billed_cost, 0), coalesce(stated.effective_cost, 0), coalesce(line.billed_cost, 0),
                  coalesce(line.effective_cost, 0)) AS what
    FROM (SELECT invoice.source, invoice.invoice_issuer_name, invoice.invoice_id, invoice.billing_currency, -- as its lines name it
                 sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
          FROM statement_invoice JOIN invoice USING (invoice_key) WHERE statement_month = $1::date GROUP BY 1, 2, 3, 4) AS stated
    FULL JOIN line ON (line.source, coalesce(line.invoice_issuer, ''), coalesce(line.invoice_id, ''), line.billing_currency)
                    = (stated.source, coalesce(stated.invoice_issuer_name, ''), coalesce(stated.invoice_id, ''), stated.billing_currency)
), paid AS (
    SELECT coalesce(cost_centre, '') AS centre, sum(amount) AS amount
    FROM explained WHERE kind <> 'line' OR target NOT IN ('pool', 'tax', 'prepaid') GROUP BY 1
), charged AS (
    SELECT coalesce(paid.amount, 0) <> coalesce(stated.amount, 0) AS differs,
           format('%s: %s, its parts have %s', coalesce(nullif(centre, ''), 'nobody'), trim_scale(coalesce(stated.amount, 0)), trim_scale(coalesce(paid.amount, 0))) AS what
    FROM (SELECT coalesce(cost_centre, '') AS centre, sum(amount) AS amount
          FROM statement_row
          WHERE statement_month = $1::date AND line_type IN ('charge', 'unallocated', 'balance sheet') GROUP BY 1) AS stated
    FULL JOIN paid USING (centre)
), compared AS (
    SELECT * FROM invoiced UNION ALL SELECT * FROM charged
)
SELECT (SELECT count(*) FROM explained), count(*) FILTER (WHERE differs), min(what COLLATE "C") FILTER (WHERE differs), NULL
FROM compared;

-- The prices of everybody's lines bill as much as the invoices. $1 is the month.
WITH compared AS (
    SELECT billed.minor_units IS DISTINCT FROM priced.billed_minor OR billed.billed_cost IS DISTINCT FROM priced.billed_cost AS differs,
           format('invoice %s of %s: billed %s, in cents %s; its prices have %s, in cents %s', coalesce(invoice_id, '(open)'), coalesce(source, 'nobody'),
                  trim_scale(billed.billed_cost), billed.minor_units, trim_scale(priced.billed_cost), priced.billed_minor) AS what
    FROM (SELECT * FROM statement_invoice WHERE statement_month = $1::date) AS billed
    FULL JOIN (SELECT invoice_key, sum(billed_minor) AS billed_minor, sum(billed_cost) AS billed_cost
               FROM statement_price WHERE statement_month = $1::date AND cost_centre = '' GROUP BY invoice_key) AS priced USING (invoice_key)
)
SELECT count(*), count(*) FILTER (WHERE differs), min(what COLLATE "C") FILTER (WHERE differs), NULL
FROM compared;

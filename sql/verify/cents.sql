-- The rows of each invoice add up to the invoice, in cents and exactly. The cents of each row are
-- its exact amount, rounded down or up. $1 is the month.
WITH month AS (
    SELECT statement_month, ('1e' || minor_unit_digits)::numeric AS units, minor_unit_digits AS digits, statement_currency
    FROM statement WHERE statement_month = $1::date
), stated AS MATERIALIZED (
    SELECT invoice_key, sum(minor_units) AS minor_units, sum(amount) AS amount, count(*) AS rows,
           min(format('%s %s: %s is %s', coalesce('cost centre ' || cost_centre, line_type), coalesce(component, row_key, reason), trim_scale(amount),
                      minor_amount(minor_units, digits)) COLLATE "C")
               FILTER (WHERE minor_units - floor(amount * units) NOT IN (0, 1)) AS far
    FROM statement_row JOIN month USING (statement_month)
    WHERE block = 'invoice'
    GROUP BY invoice_key
), compared AS (
    SELECT coalesce(rows, 0) AS rows,
           CASE WHEN billed.minor_units IS DISTINCT FROM coalesce(stated.minor_units, 0)
                    THEN format('invoice %s of %s: %s %s in cents, its rows have %s', coalesce(invoice_id, '(open)'), coalesce(source, 'nobody'), statement_currency,
                                minor_amount(billed.minor_units, digits), minor_amount(stated.minor_units::bigint, digits))
                WHEN billed_cost * exchange_rate <> coalesce(amount, 0)
                    THEN format('invoice %s of %s: %s %s exactly, its rows have %s', coalesce(invoice_id, '(open)'), source, statement_currency,
                                trim_scale(billed_cost * exchange_rate), trim_scale(amount))
                WHEN billed.minor_units <> round(billed_cost * exchange_rate * units)
                    THEN format('invoice %s of %s: %s %s is not %s in cents', coalesce(invoice_id, '(open)'), source, statement_currency,
                                minor_amount(billed.minor_units, digits), trim_scale(billed_cost * exchange_rate))
                WHEN far IS NOT NULL THEN format('invoice %s of %s, %s in cents', coalesce(invoice_id, '(open)'), source, far) END AS what
    FROM (SELECT * FROM statement_invoice WHERE statement_month = $1::date) AS billed
    FULL JOIN stated USING (invoice_key)
    CROSS JOIN month
)
SELECT coalesce(sum(rows), 0)::bigint, count(what), min(what COLLATE "C"), NULL
FROM compared;

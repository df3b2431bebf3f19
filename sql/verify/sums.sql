-- The sums that sheets and pages are written from are those of the rows. $1 is the month.
WITH added AS (
    SELECT block, line_type, invoice_key, cost_centre, component, row_key, pool, reason, gl_account, attempt_id IS NOT NULL AS is_of_attempts,
           count(*) AS row_count, sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost, sum(amount) AS amount,
           sum(minor_units) AS minor_units
    FROM statement_row
    WHERE statement_month = $1::date
    GROUP BY block, line_type, invoice_key, cost_centre, component, row_key, pool, reason, gl_account, attempt_id IS NOT NULL
), stated AS (
    SELECT block, line_type, invoice_key, cost_centre, component, row_key, pool, reason, gl_account, is_of_attempts,
           row_count, billed_cost, effective_cost, amount, minor_units
    FROM statement_sum
    WHERE statement_month = $1::date
), differing AS (
    (TABLE added EXCEPT ALL TABLE stated) UNION ALL (TABLE stated EXCEPT ALL TABLE added)
)
SELECT (SELECT count(*) FROM added), (SELECT count(*) FROM differing),
       (SELECT min(format('%s of %s: its rows and their published sum differ, one has %s, in cents %s', concat_ws(' ', line_type, component, reason, row_key, pool),
                          coalesce(cost_centre, 'nobody'), trim_scale(amount), minor_units) COLLATE "C") FROM differing), NULL;

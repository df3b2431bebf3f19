-- Sheet "Statement": what invoices charge to cost centres, by component of true cost.
SELECT statement_row, cost_centre, cost_centre_name, component, gl_account, sum(minor_units)::bigint AS minor_units, currency,
       round(sum(effective_cost), 6) AS exact, centre_no,
       -- the last row of each cost centre has the sum of all its rows
       CASE WHEN lead(statement_row) OVER (PARTITION BY centre_no ORDER BY statement_row) IS NULL
            THEN sum(sum(minor_units)) OVER (PARTITION BY centre_no)::bigint END AS centre_minor
FROM report_line
WHERE section = 1 AND current_setting('kstar.cost_centre') IN ('', cost_centre)
GROUP BY statement_row, centre_no, cost_centre, cost_centre_name, component, gl_account, currency
ORDER BY statement_row;

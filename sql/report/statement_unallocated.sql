-- Sheet "Statement": unallocated cost of the invoices, by reason.
SELECT statement_row, subject, gl_account, sum(minor_units)::bigint AS minor_units, currency,
       round(sum(effective_cost), 6) AS exact
FROM report_line
WHERE section = 2 AND current_setting('kstar.cost_centre') IN ('', cost_centre)
GROUP BY statement_row, subject, gl_account, currency
ORDER BY statement_row;

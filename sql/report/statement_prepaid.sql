-- Sheet "Statement": billed − effective of each commitment's lines (docs/amounts.md, Cents).
SELECT statement_row, subject, gl_account, currency, sum(minor_units)::bigint AS minor_units
FROM report_line
WHERE section = 4 AND current_setting('kstar.cost_centre') IN ('', cost_centre)
GROUP BY statement_row, subject, gl_account, currency
ORDER BY statement_row;

-- Sheet "Statement": internal charges: + for the cost centres of jobs, − for the carrier
-- (docs/amounts.md, Internal charges).
SELECT statement_row,
       CASE section
           WHEN 6 THEN 'charged'
           WHEN 7 THEN 'no cost centre'
           ELSE 'credit: ' || subject
       END AS transfer,
       cost_centre, cost_centre_name, component, gl_account,
       sum(minor_units)::bigint AS minor_units, CASE section WHEN 7 THEN sum(minor_units) ELSE 0 END::bigint AS unallocated_minor
FROM report_line
WHERE section IN (6, 7, 8) AND current_setting('kstar.cost_centre') IN ('', cost_centre)
GROUP BY statement_row, section, cost_centre, cost_centre_name, component, subject, gl_account
ORDER BY statement_row;

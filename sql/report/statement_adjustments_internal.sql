-- Sheet "Statement": adjustments of internal charges, which sum to zero.
SELECT adjustment_row, cost_centre, coalesce(nullif(subject, ''), 'charged') AS subject, component, gl_account,
       sum(minor_units)::bigint AS minor_units
FROM report_adjustment
WHERE section = 3 AND current_setting('kstar.cost_centre') IN ('', cost_centre)
GROUP BY adjustment_row, cost_centre, subject, component, gl_account
ORDER BY adjustment_row;

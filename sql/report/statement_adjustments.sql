-- Sheet "Statement", second block: adjustments to closed invoices, by cost centre and component. An
-- adjustment that no cost centre pays is named by its subject. The word suspense marks a cost
-- centre that has ended.
SELECT adjustment_row, cost_centre,
       CASE section WHEN 1 THEN concat_ws(': ', CASE WHEN in_suspense THEN 'suspense' END,
                                stated_cost_centre_name(current_setting('kstar.statement_month')::date, cost_centre))
                    ELSE concat_ws(': ', nullif(line_type, 'charge'), nullif(subject, '')) END AS subject,
       component, gl_account, sum(minor_units)::bigint AS minor_units
FROM report_adjustment
WHERE section IN (1, 2) AND current_setting('kstar.cost_centre') IN ('', cost_centre)
GROUP BY adjustment_row, section, cost_centre, in_suspense, line_type, subject, component, gl_account
ORDER BY adjustment_row;

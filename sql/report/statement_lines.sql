-- Sheet "Statement lines": one fact per row; the other sheets add these up.
SELECT section, report_section.title AS kind, statement_row, invoice_no, centre_no, component_no, source,
       invoice_issuer_name, invoice_id, cost_centre, component, subject, gl_account, on_job, currency, billed_cost,
       effective_cost, minor_units, CASE WHEN on_job THEN minor_units ELSE 0 END AS on_jobs
FROM report_line
JOIN report_section USING (section)
WHERE current_setting('kstar.cost_centre') IN ('', cost_centre)
ORDER BY statement_row, invoice_no, on_job;

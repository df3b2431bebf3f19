-- Sheet "Tidy data" (tidy_count.sql): one fact per row, for pivots. Money is the statement's
-- leaves: their sum by measure is the statement's. Jobs that are not listed one by one have one row
-- for each set of equal attributes.
SELECT current_setting('kstar.statement_month')::date AS period, measure, cost_centre, component, pool,
       CASE WHEN is_rest THEN '(other jobs)' ELSE job.job_id END AS job_id, job.attempt_mark, family, coalesce(reason, subject) AS subject, gl_account,
       invoice_no, billing_currency, unit, amount
FROM report_tidy
LEFT JOIN job USING (attempt_id)
WHERE scope = current_setting('kstar.cost_centre')
ORDER BY measure COLLATE "C", cost_centre COLLATE "C", component_no, attempt_id, pool COLLATE "C", invoice_no, subject COLLATE "C",
         reason COLLATE "C", gl_account COLLATE "C", family COLLATE "C", amount;

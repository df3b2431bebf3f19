-- Sheet "Tidy data": one fact per row, for pivots. Money is the statement's leaves: their sum by measure is the statement's.
WITH month AS (
    SELECT statement_month, statement_currency, minor_unit_digits
    FROM statement WHERE statement_month = current_setting('kstar.statement_month')::date
), said AS (
    SELECT CASE WHEN block = 'off the bill' AND attempt_id IS NULL AND line_type <> 'unallocated' THEN 'credit of the carrier'
                WHEN block = 'off the bill' AND line_type = 'charge' THEN 'charged, off the bill'
                WHEN block = 'off the bill' THEN line_type || ', off the bill'
                WHEN line_type = 'charge' THEN 'charged' WHEN line_type = 'prepaid' THEN 'prepaid movement' ELSE line_type END AS measure,
           cost_centre, component, pool, attempt_id, invoice_key,
           CASE WHEN attempt_id IS NULL THEN row_key END AS subject, reason, gl_account,
           minor_units / 10::numeric ^ minor_unit_digits AS amount, statement_currency AS unit
    FROM statement_row JOIN month USING (statement_month)
    WHERE current_setting('kstar.cost_centre') IN ('', cost_centre)
    UNION ALL
    SELECT measure, cost_centre, NULL, NULL, attempt_id, NULL, NULL, NULL, NULL, amount, unit
    FROM report_job_fact
)
SELECT current_setting('kstar.statement_month')::date AS period, measure, said.cost_centre, component.title AS component, pool,
       job.job_id, job.attempt_mark, job_result.family, coalesce(said.reason, subject) AS subject, gl_account, invoice_no,
       billing_currency, unit, amount
FROM said
LEFT JOIN component USING (component)
LEFT JOIN job USING (attempt_id)
LEFT JOIN job_result ON job_result.attempt_id = said.attempt_id AND job_result.statement_month = current_setting('kstar.statement_month')::date
LEFT JOIN report_invoice USING (invoice_key)
LEFT JOIN statement_invoice ON statement_invoice.invoice_key = said.invoice_key
                           AND statement_invoice.statement_month = current_setting('kstar.statement_month')::date
ORDER BY measure COLLATE "C", said.cost_centre COLLATE "C", component.position, said.attempt_id, pool COLLATE "C", invoice_no, subject COLLATE "C",
         said.reason COLLATE "C", gl_account COLLATE "C", amount;

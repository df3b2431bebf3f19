-- How many rows the sheet "Tidy data" has. They are worked out here, once, for it to read
-- (tidy.sql). Facts of jobs that are not among the dearest are added up.
WITH month AS (
    SELECT statement_month, statement_currency, ('1e-' || minor_unit_digits)::numeric AS minor_unit
    FROM statement WHERE statement_month = current_setting('kstar.statement_month')::date
), said AS (
    SELECT CASE WHEN block = 'off the bill' AND attempt_id IS NULL AND line_type <> 'unallocated' THEN 'credit of the carrier'
                WHEN block = 'off the bill' AND line_type = 'charge' THEN 'charged, off the bill'
                WHEN block = 'off the bill' THEN line_type || ', off the bill'
                WHEN line_type = 'charge' THEN 'charged' WHEN line_type = 'prepaid' THEN 'prepaid movement' ELSE line_type END AS measure,
           cost_centre, component, pool, attempt_id, invoice_key,
           CASE WHEN attempt_id IS NULL THEN row_key END AS subject, reason, gl_account,
           minor_units * minor_unit AS amount, statement_currency AS unit
    FROM scope_row JOIN month USING (statement_month)
    UNION ALL
    SELECT measure, cost_centre, NULL, NULL, attempt_id, NULL, NULL, NULL, NULL, amount, unit
    FROM report_job_fact
), placed AS (
    SELECT said.*, coalesce(NOT is_dearest, false) AS is_rest, family
    FROM said
    LEFT JOIN scope_place USING (attempt_id)
), listed AS (
    SELECT measure, cost_centre, component, pool, attempt_id, is_rest, family, invoice_key, subject, reason, gl_account, unit, amount
    FROM placed
    WHERE NOT is_rest
    UNION ALL
    SELECT measure, cost_centre, component, pool, NULL, true, family, invoice_key, NULL, reason, gl_account, unit, sum(amount)
    FROM placed
    WHERE is_rest
    GROUP BY measure, cost_centre, component, pool, family, invoice_key, reason, gl_account, unit
), filled AS (
    INSERT INTO report_tidy
    SELECT current_setting('kstar.cost_centre'), measure, cost_centre, component.position, component.title, pool, attempt_id, is_rest, family,
           subject, reason, gl_account, invoice_no, billing_currency, unit, amount
    FROM listed
    LEFT JOIN component USING (component)
    LEFT JOIN (SELECT invoice_key, invoice_no, billing_currency
               FROM statement_invoice JOIN month USING (statement_month) JOIN report_invoice USING (invoice_key)) AS invoice USING (invoice_key)
    RETURNING 1
)
SELECT count(*) FROM filled;

-- Fills what report/00_session.sql made.
INSERT INTO report_section VALUES
    (1, 'Charged'), (2, 'Unallocated'), (3, 'Balance sheet'), (4, 'Prepaid movement'), (5, 'Unexplained'),
    (6, 'Off the bill: charged'), (7, 'Off the bill: unallocated'), (8, 'Off the bill: credit of the carrier');

INSERT INTO report_invoice
SELECT row_number() OVER (ORDER BY source COLLATE "C", invoice_issuer_name COLLATE "C", invoice_id COLLATE "C",
                                   billing_currency COLLATE "C", invoice_key),
       invoice_key
FROM statement_invoice
WHERE statement_month = current_setting('kstar.statement_month')::date;

INSERT INTO report_line
WITH month AS (
    SELECT statement_month, statement_currency, (statement_month + interval '1 month' - interval '1 day')::date AS last_day
    FROM statement
    WHERE statement_month = current_setting('kstar.statement_month')::date
), centre AS (
    SELECT cost_centre, name
    FROM stated_cost_centre JOIN month USING (statement_month)
    WHERE valid_from <= last_day AND valid_to > last_day
), placed AS (
    SELECT CASE
               WHEN block = 'invoice' AND line_type = 'charge'        THEN 1
               WHEN block = 'invoice' AND line_type = 'unallocated'   THEN 2
               WHEN block = 'invoice' AND line_type = 'balance sheet' THEN 3
               WHEN block = 'invoice' AND line_type = 'prepaid'       THEN 4
               WHEN block = 'invoice'                                 THEN 5
               WHEN line_type = 'charge' AND attempt_id IS NOT NULL   THEN 6
               WHEN line_type = 'unallocated'                         THEN 7
               ELSE 8
           END AS section,
           statement_row.*
    FROM statement_row JOIN month USING (statement_month)
), named AS (
    SELECT section, placed.invoice_key, placed.cost_centre, placed.attempt_id IS NOT NULL AS on_job,
           centre.name AS cost_centre_name,
           component.position AS component_no, component.title AS component,
           CASE section
               WHEN 2 THEN coalesce(placed.reason, '(no reason given)')
               WHEN 3 THEN placed.row_key
               WHEN 4 THEN placed.row_key
               WHEN 5 THEN coalesce(placed.reason || ': ', '') || placed.row_key
               WHEN 7 THEN placed.reason
               WHEN 8 THEN coalesce(placed.pool, placed.row_key)
           END AS subject,
           placed.gl_account, placed.billed_cost, placed.effective_cost, placed.minor_units
    FROM placed
    LEFT JOIN component USING (component)
    LEFT JOIN centre ON centre.cost_centre = placed.cost_centre
), added AS (
    SELECT section, invoice_key, cost_centre, cost_centre_name,
           CASE WHEN section IN (1, 6, 7, 8) THEN component_no END AS component_no,
           CASE WHEN section IN (1, 6, 7, 8) THEN component END AS component,
           subject, gl_account, on_job,
           sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost, sum(minor_units)::bigint AS minor_units
    FROM named
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
), centre_number AS (
    SELECT cost_centre, row_number() OVER (ORDER BY cost_centre COLLATE "C")::integer AS centre_no
    FROM (SELECT DISTINCT cost_centre FROM added WHERE section IN (1, 6)) AS charged
)
SELECT section,
       dense_rank() OVER (ORDER BY section, cost_centre COLLATE "C", component_no, subject COLLATE "C", gl_account COLLATE "C"),
       invoice_no,
       CASE WHEN section IN (1, 6) THEN centre_no END,
       CASE WHEN section IN (1, 6) THEN component_no END,
       source, invoice_issuer_name, invoice_id, cost_centre, cost_centre_name, component, subject, gl_account, on_job,
       coalesce(billing_currency, statement_currency),
       added.billed_cost, added.effective_cost, added.minor_units
FROM added
CROSS JOIN month
LEFT JOIN report_invoice USING (invoice_key)
LEFT JOIN statement_invoice USING (statement_month, invoice_key)
LEFT JOIN centre_number USING (cost_centre);

ANALYZE report_line;

INSERT INTO report_adjustment
WITH placed AS (
    SELECT adjustment.*, component.position, component.title,
           CASE WHEN source IS NOT NULL AND line_type = 'charge' THEN 1
                WHEN source IS NOT NULL THEN 2
                ELSE 3 END AS section
    FROM adjustment
    LEFT JOIN component USING (component)
    WHERE statement_month = current_setting('kstar.statement_month')::date
)
SELECT dense_rank() OVER (ORDER BY section, cost_centre COLLATE "C", position, line_type COLLATE "C", subject COLLATE "C",
                                   gl_account COLLATE "C"),
       dense_rank() OVER (ORDER BY adjusted_month, source COLLATE "C"),
       section, to_char(adjusted_month, 'YYYY-MM'), coalesce(source, 'off the bill'), line_type, cost_centre, title, subject,
       gl_account, frozen_minor, adjusted_minor, replayed_minor, minor_units
FROM placed;

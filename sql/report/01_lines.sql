-- Fills the tables of report/00_session.sql for lines, invoices and adjustments.
INSERT INTO report_section VALUES
    (1, 'Charged'), (2, 'Unallocated'), (3, 'Balance sheet'), (4, 'Prepaid balance change'), (5, 'Unexplained'),
    (6, 'Internal: charged'), (7, 'Internal: unallocated'), (8, 'Internal: credit of the carrier');

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
), centre AS ( -- a cost centre that has ended keeps its last name
    SELECT DISTINCT ON (cost_centre) cost_centre, name
    FROM stated_cost_centre JOIN month USING (statement_month)
    WHERE valid_from <= last_day
    ORDER BY cost_centre, valid_from DESC
), placed AS (
    SELECT CASE
               WHEN block = 'invoice' AND line_type = 'charge'        THEN 1
               WHEN block = 'invoice' AND line_type = 'unallocated'   THEN 2
               WHEN block = 'invoice' AND line_type = 'balance sheet' THEN 3
               WHEN block = 'invoice' AND line_type = 'prepaid'       THEN 4
               WHEN block = 'invoice'                                 THEN 5
               WHEN line_type = 'charge' AND is_of_attempts           THEN 6
               WHEN line_type = 'unallocated'                         THEN 7
               ELSE 8
           END AS section,
           statement_sum.*
    FROM statement_sum JOIN month USING (statement_month)
), added AS (
    SELECT section, invoice_key, cost_centre, CASE WHEN section IN (1, 6, 7, 8) THEN component END AS component,
           CASE section
               WHEN 2 THEN coalesce(reason, '(no reason given)')
               WHEN 3 THEN row_key
               WHEN 4 THEN row_key
               WHEN 5 THEN coalesce(reason || ': ', '') || row_key
               WHEN 7 THEN reason
               WHEN 8 THEN coalesce(pool, row_key)
           END AS subject,
           gl_account, is_of_attempts AS on_job,
           sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost, sum(minor_units)::bigint AS minor_units
    FROM placed
    GROUP BY 1, 2, 3, 4, 5, 6, 7
), centre_number AS (
    SELECT cost_centre, row_number() OVER (ORDER BY cost_centre COLLATE "C")::integer AS centre_no
    FROM (SELECT DISTINCT cost_centre FROM added WHERE section IN (1, 6)) AS charged
)
SELECT section,
       dense_rank() OVER (ORDER BY section, cost_centre COLLATE "C", component.position, subject COLLATE "C", gl_account COLLATE "C",
                                   coalesce(billing_currency, statement_currency) COLLATE "C"),
       invoice_no,
       CASE WHEN section IN (1, 6) THEN centre_no END,
       CASE WHEN section IN (1, 6) THEN component.position END,
       source, invoice_issuer_name, invoice_id, cost_centre, centre.name, component.title, subject, gl_account, added.on_job,
       coalesce(billing_currency, statement_currency),
       added.billed_cost, added.effective_cost, added.minor_units
FROM added
CROSS JOIN month
LEFT JOIN component USING (component)
LEFT JOIN centre USING (cost_centre)
LEFT JOIN report_invoice USING (invoice_key)
LEFT JOIN statement_invoice USING (statement_month, invoice_key)
LEFT JOIN centre_number USING (cost_centre);

ANALYZE report_line;

-- An adjustment has the account on which the journal books it (report/journal.sql): that of the
-- closed month, or, if that month had none, the one that settings give now. If its cost centre is
-- not open on this month's last day, it is the suspense account.
INSERT INTO report_adjustment
WITH month AS (
    SELECT statement_month, (statement_month + interval '1 month' - interval '1 day')::date AS last_day
    FROM statement
    WHERE statement_month = current_setting('kstar.statement_month')::date
), centre AS (
    SELECT cost_centre
    FROM stated_cost_centre JOIN month USING (statement_month)
    WHERE valid_from <= last_day AND valid_to > last_day
), placed AS (
    SELECT adjustment.*, component.position, component.title,
           CASE WHEN source IS NOT NULL AND line_type = 'charge' THEN 1
                WHEN source IS NOT NULL THEN 2
                ELSE 3 END AS section,
           cost_centre IS NOT NULL AND cost_centre NOT IN (SELECT cost_centre FROM centre) AS in_suspense
    FROM adjustment
    JOIN month USING (statement_month)
    LEFT JOIN component USING (component)
), purposed AS (
    SELECT placed.*, pg_temp.account_setting(line_type, in_suspense) AS setting
    FROM placed
), set_account AS (
    SELECT adjusted_month, setting,
           stated_setting_value(adjusted_month, setting, stated_setting_value(statement_month, setting, NULL)) AS account
    FROM (SELECT DISTINCT adjusted_month, setting FROM purposed) AS wanted
    CROSS JOIN month
), booked AS (
    SELECT purposed.*, CASE WHEN in_suspense THEN account ELSE coalesce(gl_account, account) END AS booked_account
    FROM purposed
    JOIN set_account USING (adjusted_month, setting)
)
SELECT dense_rank() OVER (ORDER BY section, cost_centre COLLATE "C", position, line_type COLLATE "C", subject COLLATE "C",
                                   booked_account COLLATE "C"),
       section, to_char(adjusted_month, 'YYYY-MM'), coalesce(source, 'internal'), line_type, cost_centre, title, subject,
       booked_account, in_suspense, frozen_minor, adjusted_minor, replayed_minor, minor_units
FROM booked;

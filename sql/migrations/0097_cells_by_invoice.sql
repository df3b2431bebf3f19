-- A month's cells, added up by invoice first: no row is compared with every invoice of its month.
CREATE OR REPLACE VIEW statement_cell AS
SELECT statement_month, source, line_type, of_invoice.cost_centre, component, subject, gl_account, sum(of_invoice.minor_units)::bigint AS minor_units
FROM (SELECT statement_month, invoice_key, line_type, cost_centre,
             CASE line_type WHEN 'charge' THEN component END                   AS component,
             cell_subject(block, line_type, attempt_id, pool, reason, row_key) AS subject,
             gl_account, sum(minor_units)                                      AS minor_units
      FROM statement_row
      GROUP BY 1, 2, 3, 4, 5, 6, 7) AS of_invoice
LEFT JOIN statement_invoice USING (statement_month, invoice_key)
GROUP BY 1, 2, 3, 4, 5, 6, 7;

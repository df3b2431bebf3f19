-- The closed statements, the latest close first.
SELECT to_char(statement_month, 'YYYY-MM')                          AS "month",
       closed_by                                                    AS "closed_by",
       statement_currency                                           AS "currency",
       minor_amount(coalesce(invoiced, 0)::bigint, minor_unit_digits)  AS "invoices",
       minor_amount(coalesce(carried, 0)::bigint, minor_unit_digits)   AS "adjustments",
       minor_amount(coalesce(differs, 0)::bigint, minor_unit_digits)   AS "would_differ_by",
       run_id                                                       AS "run_id",
       coalesce(accepted, '')                                       AS "accepted"
FROM closure
JOIN statement USING (statement_month)
LEFT JOIN (SELECT statement_month, sum(minor_units) AS invoiced FROM statement_invoice GROUP BY 1) AS invoice USING (statement_month)
LEFT JOIN (SELECT statement_month, sum(minor_units) AS carried FROM adjustment GROUP BY 1) AS adjustment USING (statement_month)
LEFT JOIN (SELECT adjusted_month AS statement_month, sum(minor_units) AS differs FROM prior_period_difference
           WHERE source IS NOT NULL GROUP BY 1) AS difference USING (statement_month)
ORDER BY close_number DESC;

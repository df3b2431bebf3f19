-- Sheet "Tidy data" (tidy_count.sql): one fact per row, for pivot tables. Money comes from the
-- statement's details, so its sum by measure is the statement's. Jobs that are not listed one by
-- one share a row if all their attributes are equal.
WITH named AS MATERIALIZED (
    SELECT attempt_id, job_id, attempt_mark
    FROM job
    WHERE attempt_id IN (SELECT attempt_id FROM scope_place WHERE is_named)
)
SELECT (SELECT current_setting('kstar.statement_month')::date) AS period, measure, cost_centre, component, pool,
       CASE WHEN is_rest THEN '(other jobs)' ELSE job_id END AS job_id, attempt_mark, family, coalesce(reason, subject) AS subject, gl_account,
       invoice_no, billing_currency, unit, amount
-- columns of the order come first: there a sort finds them without looking at the others
FROM (SELECT measure, cost_centre, component_no, attempt_id, pool, invoice_no, subject, reason, gl_account, family, amount, component, is_rest,
             billing_currency, unit, job_id, attempt_mark
      FROM report_tidy
      LEFT JOIN named USING (attempt_id)
      WHERE scope = (SELECT current_setting('kstar.cost_centre'))
      ORDER BY measure COLLATE "C", cost_centre COLLATE "C", component_no, attempt_id, pool COLLATE "C", invoice_no, coalesce(reason, subject) COLLATE "C",
               reason COLLATE "C", gl_account COLLATE "C", family COLLATE "C", amount) AS fact;

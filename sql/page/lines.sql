-- lines-YYYY-MM-<cost centre>.csv: the rows that a cost centre's page adds up. They sum to its true
-- cost.
WITH named AS MATERIALIZED (
    SELECT attempt_id, cluster, job_id, job_name
    FROM job
    WHERE attempt_id IN (SELECT attempt_id FROM report_part WHERE cost_centre = current_setting('kstar.cost_centre'))
)
SELECT kind, cluster, job_id, job_name, component, CASE kind WHEN 'other jobs' THEN subject || ' jobs' ELSE subject END AS subject,
       to_char(day, 'YYYY-MM-DD') AS day, sku, node_hours, minor_amount(minor_units, minor_unit_digits) AS amount, statement_currency AS currency
FROM report_part
LEFT JOIN named USING (attempt_id)
JOIN statement ON statement_month = current_setting('kstar.statement_month')::date
WHERE cost_centre = current_setting('kstar.cost_centre')
ORDER BY place, attempt_id, subject COLLATE "C", day, sku COLLATE "C";

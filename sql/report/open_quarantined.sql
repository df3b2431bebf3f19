-- Sheet "Open items": rows and records that could not be read, by place and reason. Rows of a bill
-- with readable money are on the statement.
WITH used AS (
    SELECT delivery_id, billing_period FROM statement_load JOIN load USING (load_id, statement_month)
    WHERE statement_month = current_setting('kstar.statement_month')::date
    UNION
    SELECT DISTINCT delivery_id, NULL::date
    FROM job_result
    CROSS JOIN LATERAL (SELECT delivery_id FROM job_place WHERE job_place.attempt_id = job_result.attempt_id OFFSET 0) AS place
    WHERE statement_month = current_setting('kstar.statement_month')::date
)
SELECT delivery.source, delivery.kind, source_file.path, coalesce(column_name, '(the row)') AS column_name, reason, min(line_number) AS first_line,
       count(*) AS row_count, count(*) FILTER (WHERE billed_cost IS NULL OR invoice_key IS NULL) AS unread_money, billing_currency,
       sum(billed_cost) AS billed_cost
FROM used
JOIN quarantined_row ON quarantined_row.delivery_id = used.delivery_id
                 AND (used.billing_period IS NULL OR quarantined_row.billing_period IS NOT DISTINCT FROM used.billing_period)
JOIN delivery ON delivery.delivery_id = used.delivery_id
LEFT JOIN source_file USING (file_id)
WHERE current_setting('kstar.cost_centre') = ''
GROUP BY delivery.source, delivery.kind, source_file.path, column_name, reason, billing_currency
ORDER BY count(*) DESC, delivery.source COLLATE "C", source_file.path COLLATE "C", min(line_number), column_name COLLATE "C", reason COLLATE "C",
         billing_currency COLLATE "C"
LIMIT 1000;

-- Quarantined rows of delivery $2 or of load $3. If both are NULL, those of all deliveries that
-- count (counting_delivery). $1: a source, or NULL for all.
SELECT delivery_id, load_id, kind, delivery.source, label, path, line_number, column_name, reason,
       CASE WHEN kind <> 'billing' THEN NULL
            WHEN billed_cost IS NULL OR invoice_key IS NULL THEN 'unread'
            ELSE billed_cost || ' ' || billing_currency END AS billed,
       CASE WHEN kind = 'billing' THEN coalesce(effective_cost || coalesce(' ' || billing_currency, ''),
                                                CASE WHEN billed_cost IS NOT NULL AND invoice_key IS NOT NULL THEN 'unread, counted as billed' END,
                                                'unread') END AS effective,
       row_place(label, path, line_number, column_name) AS place,
       raw
FROM quarantined_row
JOIN delivery USING (delivery_id)
JOIN (SELECT file_id, path FROM source_file) AS file USING (file_id)
LEFT JOIN load USING (delivery_id, billing_period)
WHERE ($2::integer IS NULL AND $3::integer IS NULL AND delivery_id IN (SELECT delivery_id FROM counting_delivery)
       OR delivery_id = $2::integer OR load_id = $3::integer)
  AND ($1::text IS NULL OR delivery.source = $1)
ORDER BY delivery_id, path COLLATE "C", line_number;

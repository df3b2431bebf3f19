-- Quarantined rows of delivery $2 or of load $3. If both are NULL, those of all deliveries that
-- count (counting_delivery). $1: a source, or NULL for all. Costs that could not be read are NULL.
SELECT delivery_id, load_id, kind, delivery.source, label, path, line_number, column_name, reason,
       CASE WHEN kind = 'billing' AND invoice_key IS NOT NULL THEN billed_cost END AS billed,
       CASE WHEN kind = 'billing' THEN effective_cost END AS effective,
       CASE WHEN kind = 'billing' THEN billing_currency END AS currency,
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

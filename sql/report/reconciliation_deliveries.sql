-- Sheet "Reconciliation": the deliveries of each source, and how much of each could be read.
SELECT delivery.source, delivery.kind, delivery.label, load.row_count AS rows_of_month,
       delivery.row_count + delivery.quarantined_rows AS rows_delivered, delivery.quarantined_rows
FROM statement_load
JOIN load USING (load_id, statement_month)
JOIN delivery USING (delivery_id)
WHERE statement_month = current_setting('kstar.statement_month')::date
ORDER BY delivery.source COLLATE "C", delivery.label COLLATE "C", load.billing_period;

-- The billing periods of source $1 whose current load came with the last delivery under label $2
-- before delivery $3. If delivery $3 has no row at all, these periods are withdrawn. If it has rows
-- of other periods, they stay as they are. Each period as microseconds since 1970 and as text.
SELECT extract(epoch FROM billing_period::timestamptz)::bigint * 1000000, to_char(billing_period, 'YYYY-MM-DD')
FROM load
JOIN current_load USING (load_id, source, billing_period)
WHERE delivery_id = (SELECT max(delivery_id) FROM delivery
                     WHERE kind = 'billing' AND source = $1 AND label = $2 AND delivery_id < $3::integer)
  AND (row_count > 0 OR EXISTS (SELECT FROM quarantined_row WHERE quarantined_row.delivery_id = load.delivery_id AND quarantined_row.billing_period = load.billing_period))
ORDER BY 1;

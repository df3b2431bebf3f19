-- The last two loads for each source of month $1 (only source $2, unless NULL) and billing period,
-- the later one first. `after_known` and `before_known`: the sums of the load are stored, as they
-- are once its statement was made. A load without lines adds up to zero.
SELECT latest.source,
       latest.load_id       AS after_load,
       former.load_id       AS before_load,
       after_delivery.label AS after_label,
       latest.row_count = 0 OR EXISTS (SELECT FROM load_summary WHERE load_summary.load_id = latest.load_id)
                            AS after_known,
       former.load_id IS NULL OR former.row_count = 0
       OR EXISTS (SELECT FROM load_summary WHERE load_summary.load_id = former.load_id)
                            AS before_known
FROM load AS latest
JOIN current_load ON current_load.load_id = latest.load_id
JOIN delivery AS after_delivery ON after_delivery.delivery_id = latest.delivery_id
LEFT JOIN LATERAL (SELECT load_id, row_count
                   FROM load AS earlier
                   WHERE earlier.source = latest.source AND earlier.billing_period = latest.billing_period
                     AND earlier.load_id < latest.load_id
                   ORDER BY load_id DESC
                   LIMIT 1) AS former ON true
WHERE latest.statement_month = $1::date AND ($2::text IS NULL OR latest.source = $2)
ORDER BY latest.source COLLATE "C", latest.billing_period;

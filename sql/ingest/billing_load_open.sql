-- Opens the load of delivery $1 of source $2 for billing period $3, and makes the partition of its
-- lines. Returns the load, the partition's name, whether there is a load to replace, whether that
-- load came under another label, and whether the month was pruned. A pruned month takes no load
-- (billing_replace.h).
INSERT INTO load (delivery_id, source, billing_period, statement_month, row_count)
VALUES ($1, $2, $3, date_trunc('month', $3::date)::date, 0)
RETURNING load_id, ensure_billing_partition(billing_period),
          EXISTS (SELECT FROM current_load
                  WHERE current_load.source = load.source AND current_load.billing_period = load.billing_period),
          EXISTS (SELECT FROM current_load
                  JOIN load AS former USING (load_id)
                  JOIN delivery ON delivery.delivery_id = former.delivery_id
                  WHERE current_load.source = load.source AND current_load.billing_period = load.billing_period
                    AND delivery.label <> (SELECT label FROM delivery WHERE delivery_id = load.delivery_id)),
          EXISTS (SELECT FROM pruned_month WHERE pruned_month.statement_month = load.statement_month);

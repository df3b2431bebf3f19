-- Opens the load of delivery $1 of source $2 for billing period $3. Makes the partition of its
-- lines, and names it. Says whether there is a load to replace. A month that was pruned takes none.
INSERT INTO load (delivery_id, source, billing_period, statement_month, row_count)
VALUES ($1, $2, $3, date_trunc('month', $3::date)::date, 0)
RETURNING load_id, ensure_billing_partition(billing_period),
          EXISTS (SELECT FROM current_load
                  WHERE current_load.source = load.source AND current_load.billing_period = load.billing_period),
          refuse_pruned(statement_month);

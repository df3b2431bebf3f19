-- Opens the load of delivery $1 of source $2 for the billing period that starts at $3, in the source's time
-- zone $4 (an invoice month may turn at midnight there), or finds it. Makes the partition of its lines.
WITH period AS (
    SELECT ($3::timestamptz AT TIME ZONE $4)::date AS billing_period
), found AS (
    SELECT load_id, billing_period
    FROM load
    JOIN period USING (billing_period)
    WHERE delivery_id = $1
), opened AS (
    INSERT INTO load (delivery_id, source, billing_period, statement_month, row_count)
    SELECT $1, $2, billing_period, date_trunc('month', billing_period)::date, 0
    FROM period
    WHERE NOT EXISTS (SELECT FROM found)
    RETURNING load_id, billing_period
)
SELECT load_id, billing_period, ensure_billing_partition(billing_period)
FROM (SELECT * FROM found UNION ALL SELECT * FROM opened) AS load_of_period;

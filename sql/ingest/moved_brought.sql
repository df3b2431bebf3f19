-- The lines of delivery $1 with the same charge period as a dropped line.
CREATE TEMP TABLE compared_line ON COMMIT DROP AS
WITH dropped_time AS MATERIALIZED (
    SELECT DISTINCT charge_period_start, charge_period_end
    FROM dropped_load
    JOIN load_chunk USING (load_id, billing_period)
    JOIN billing_line USING (chunk_id, billing_period)
)
SELECT 'brought' AS role, load.load_id, billing_period, file_id, first_line, line_in_chunk, row_in_record, charge_period_start, charge_period_end,
       tag_set_key, billed_cost, effective_cost, billing_currency, charge, identity
FROM load
JOIN load_chunk USING (load_id, billing_period)
JOIN line_identity USING (chunk_id, billing_period)
JOIN dropped_time USING (charge_period_start, charge_period_end)
WHERE delivery_id = $1::integer;

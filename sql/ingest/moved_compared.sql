-- Adds to the lines of delivery $1 the dropped lines that can be the same, and lines of other
-- periods of the source. The latter show which lines repeat from period to period. These other
-- periods are those that the delivery replaces, and the one before each dropped period.
INSERT INTO compared_line
WITH delivered AS (
    SELECT source, billing_period FROM load WHERE delivery_id = $1::integer
), standing AS (
    SELECT current_load.load_id, billing_period
    FROM delivery
    JOIN current_load USING (source)
    JOIN load USING (load_id, source, billing_period)
    WHERE delivery.delivery_id = $1::integer AND load.row_count > 0
), brought_time AS MATERIALIZED (
    SELECT DISTINCT charge_period_start, charge_period_end, true AS is_brought FROM compared_line
), compared_load AS (
    SELECT 'dropped' AS role, load_id, billing_period FROM dropped_load
    UNION ALL
    SELECT 'beside', load_id, billing_period
    FROM standing
    WHERE load_id NOT IN (SELECT load_id FROM dropped_load)
      AND (billing_period IN (SELECT billing_period FROM delivered)
           OR billing_period IN (SELECT (SELECT max(standing.billing_period) FROM standing WHERE standing.billing_period < dropped_load.billing_period)
                                 FROM dropped_load))
)
SELECT role, load_id, billing_period, file_id, first_line, line_in_chunk, row_in_record, charge_period_start, charge_period_end, tag_set_key,
       billed_cost, effective_cost, billing_currency, charge, identity
FROM compared_load
JOIN load_chunk USING (load_id, billing_period)
JOIN line_identity USING (chunk_id, billing_period)
LEFT JOIN brought_time USING (charge_period_start, charge_period_end)
LEFT JOIN chunk_again USING (load_id, file_id, first_line)
WHERE is_brought OR chunk_again.reappears_in IS NOT NULL;

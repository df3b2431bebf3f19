-- The parts of node lines, after split.sql has split those with more than one. Held seconds are what the part pays for:
-- its weight in seconds, scaled down where held time exceeds what was billed, and to the line's own part of that time.
INSERT INTO line_part (statement_month, load_id, file_id, line_number, row_in_record, part, invoice_key, resource_key, closed_month, rule,
                       target, charge_part, attempt_id, pool, cost_centre, reason, held_seconds, billed_cost, effective_cost)
SELECT statement_month, load_id, file_id, line_number, row_in_record, node_line_weight.part, invoice_key, resource_key, closed_month, 2, target,
       charge_part, node_line_weight.attempt_id,
       CASE target WHEN 'pool' THEN idle_pool END,
       NULL, reason,
       CASE WHEN charge_part = 'hardware'
            THEN round(coalesce(node_line_weight.weight * coalesce(own_seconds * own_share, billed_seconds)
                                / nullif(greatest(held_weight + awaiting_weight, billed_seconds * grain * present_seconds), 0), 0),
                       6) END,
       CASE WHEN parts = 1 THEN node_line.billed_cost    ELSE split_result.billed_cost END,
       CASE WHEN parts = 1 THEN node_line.effective_cost ELSE split_result.effective_cost END
FROM node_line_weight
JOIN node_line USING (line_id)
LEFT JOIN split_result ON split_result.request_id = line_id AND split_result.part = node_line_weight.part
CROSS JOIN month;

-- Quarantined rows whose money could be read stand on the statement in their own name (design 3.8).
CREATE TEMP TABLE quarantined_row ON COMMIT DROP AS
SELECT file_id, line_number, invoice_key, commitment_discount_id, billed_cost, effective_cost
FROM quarantined_money
JOIN current_load USING (load_id)
JOIN month USING (statement_month)
WHERE is_read;

INSERT INTO line_part (statement_month, load_id, file_id, line_number, row_in_record, part, invoice_key, rule, target, charge_part,
                       attempt_id, pool, cost_centre, reason, held_seconds, billed_cost, effective_cost)
SELECT statement_month, NULL, file_id, line_number, 0, 1, invoice_key, 5, 'unallocated', 'other',
       NULL, NULL, NULL, 'quarantined', NULL, billed_cost, effective_cost
FROM quarantined_row CROSS JOIN month;

INSERT INTO statement_note (statement_month, kind, subject, quantity, unit, note, blocks_close)
SELECT statement_month, note_kind, place, CASE WHEN is_read THEN billed_cost END, CASE WHEN is_read THEN billing_currency END, note, true
FROM quarantined_money
JOIN current_load USING (load_id)
JOIN month USING (statement_month)
WHERE note_kind IS NOT NULL;

INSERT INTO statement_note (statement_month, kind, subject, quantity, unit, note, blocks_close)
SELECT statement_month, 'oversubscribed node', node,
       round(sum(excess_weight / (grain * present_seconds)) / 3600, 6), 'node-hours',
       'jobs held more of the node than was billed; their parts were scaled down to it', false
FROM (SELECT DISTINCT ON (slot_id) * FROM node_line WHERE excess_weight > 0 ORDER BY slot_id, line_id) AS slot_line
CROSS JOIN month
GROUP BY statement_month, node;

SELECT analyze_tables('line_part');

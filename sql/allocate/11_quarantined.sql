-- Quarantined rows whose money could be read stand on the statement in their own name
-- (docs/billing.md, Rows that cannot be read).
CREATE TEMP TABLE quarantined_of_month ON COMMIT DROP AS
SELECT invoice_key, commitment_discount_id, billed_cost, effective_cost
FROM quarantined_money
JOIN current_load USING (load_id)
JOIN month USING (statement_month)
WHERE is_read;

INSERT INTO charge_sum (invoice_key, charge_part, rule, target, reason, resource_key, is_of_another_statement, line_count,
                        billed_cost, effective_cost, charged_cost, committed_cost, spot_cost, priced_seconds)
SELECT invoice_key, 'other', 5, 'unallocated', 'quarantined', 0, false, 1, billed_cost, effective_cost, greatest(effective_cost, 0), 0, 0, 0
FROM quarantined_of_month;

INSERT INTO class_charge_sum (invoice_key, charge_part, charge_kind_key, commitment_key, is_long, target, reason,
                              line_count, unlisted_count, billed_cost, effective_cost, list_cost, contracted_cost)
SELECT invoice_key, 'other', 0, 0, false, 'unallocated', 'quarantined', 1, 1, billed_cost, effective_cost, effective_cost, effective_cost
FROM quarantined_of_month;

INSERT INTO statement_note (statement_month, kind, subject, quantity, unit, note, blocks_close)
SELECT statement_month, note_kind, place, CASE WHEN is_read THEN billed_cost END, CASE WHEN is_read THEN billing_currency END, note, true
FROM quarantined_money
JOIN current_load USING (load_id)
JOIN month USING (statement_month)
WHERE note_kind IS NOT NULL;

-- The charges of the statement.

-- Quarantined rows whose money could be read have charges of their own (docs/billing.md, Rows that
-- cannot be read).
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

-- Adds up the sums that several readers wrote, or one reader at several times. By sort, because
-- nearly each charge is a group of its own: a hash table would need memory for each of its sums.
SET LOCAL enable_hashagg = off;
INSERT INTO charge
SELECT invoice_key, attempt_id, resource_key, sum(line_count), statement_month, closed_month, rule, is_of_another_statement, charge_part, target, pool,
       cost_centre, reason, sum(billed_cost), sum(effective_cost), sum(charged_cost), sum(committed_cost), sum(spot_cost), sum(priced_seconds)
FROM charge_sum CROSS JOIN month
GROUP BY attempt_id, resource_key, invoice_key, rule, charge_part, closed_month, target, pool, cost_centre, reason, is_of_another_statement,
         statement_month;
SET LOCAL enable_hashagg TO DEFAULT;

INSERT INTO class_charge
SELECT statement_month, invoice_key, charge_part, closed_month, charge_kind_key, commitment_key, provider_name, service_name, service_category, sku_id,
       is_long, target, pool, cost_centre, family, outcome, reason, sum(line_count), sum(unlisted_count), sum(billed_cost), sum(effective_cost),
       sum(list_cost), sum(contracted_cost)
FROM class_charge_sum CROSS JOIN month
GROUP BY statement_month, invoice_key, charge_part, closed_month, charge_kind_key, commitment_key, provider_name, service_name, service_category,
         sku_id, is_long, target, pool, cost_centre, family, outcome, reason;

SELECT analyze_tables('charge', 'class_charge');

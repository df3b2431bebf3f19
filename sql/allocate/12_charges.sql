-- The charges of the statement: what was summed up at different times, or by different readers, is
-- added up. Sorted, attempts first: nearly each charge is a group of its own, and in a hash table
-- each of its sums takes room of its own.
SET LOCAL enable_hashagg = off;
INSERT INTO charge
SELECT invoice_key, attempt_id, resource_key, sum(line_count), statement_month, closed_month, rule, is_of_another_statement, charge_part, target, pool,
       cost_centre, reason, sum(billed_cost), sum(effective_cost), sum(charged_cost), sum(committed_cost), sum(spot_cost), sum(priced_seconds)
FROM charge_sum
CROSS JOIN month
GROUP BY attempt_id, resource_key, invoice_key, rule, charge_part, closed_month, target, pool, cost_centre, reason, is_of_another_statement,
         statement_month;
SET LOCAL enable_hashagg TO DEFAULT;

INSERT INTO class_charge
SELECT statement_month, invoice_key, charge_part, closed_month, charge_kind_key, commitment_key, provider_name, service_name, service_category, sku_id,
       is_long, target, pool, cost_centre, family, outcome, reason, sum(line_count), sum(unlisted_count), sum(billed_cost), sum(effective_cost),
       sum(list_cost), sum(contracted_cost)
FROM class_charge_sum
CROSS JOIN month
GROUP BY statement_month, invoice_key, charge_part, closed_month, charge_kind_key, commitment_key, provider_name, service_name, service_category,
         sku_id, is_long, target, pool, cost_centre, family, outcome, reason;

SELECT analyze_tables('charge', 'class_charge');

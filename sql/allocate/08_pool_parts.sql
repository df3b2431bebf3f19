-- The parts of pools, after split.sql.
INSERT INTO shared_part (statement_month, invoice_key, shared_kind, pool, closed_month, part, component, target, attempt_id,
                         cost_centre, reason, weight, billed_cost, effective_cost)
SELECT statement_month, invoice_key, 'pool', pool, pool_amount.closed_month, part, component, target, attempt_id,
       cost_centre, reason, weight, split_result.billed_cost, split_result.effective_cost
FROM split_result
JOIN pool_amount USING (request_id)
JOIN pool_weight_of_month USING (pool, part)
CROSS JOIN month
WHERE pool_amount.closed_month IS NOT DISTINCT FROM pool_weight_of_month.closed_month;

-- A pool that no row of pools.csv describes on the month's last day has neither split nor owner.
INSERT INTO shared_part (statement_month, invoice_key, shared_kind, pool, part, target, reason, weight,
                         billed_cost, effective_cost)
SELECT statement_month, invoice_key, 'pool', pool, 1, 'unallocated', 'pool not valid in the month', 1,
       billed_cost, effective_cost
FROM pool_amount
CROSS JOIN month
WHERE closed_month IS NULL AND pool NOT IN (SELECT pool FROM pool_of_month);

-- Most of shared_part, a row for each attempt, pool and invoice: who reads it next is to know that.
SELECT analyze_tables('shared_part');

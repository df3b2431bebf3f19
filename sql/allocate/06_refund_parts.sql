-- The parts of refunded attempts, after split.sql has split those that a cap cuts in two. The piece that stays keeps the part's number;
-- the pool's has one of its own, behind all of its line.
INSERT INTO line_part (statement_month, load_id, file_id, line_number, row_in_record, part, invoice_key, resource_key, closed_month, rule,
                       target, charge_part, attempt_id, pool, cost_centre, reason, held_seconds, billed_cost, effective_cost)
SELECT statement_month, load_id, file_id, line_number, row_in_record,
       CASE WHEN split_result.part = 1 OR kept_seconds = 0 THEN refunded_part.part ELSE last_part + refunded_part.part END,
       invoice_key, resource_key, closed_month, rule,
       CASE WHEN split_result.part = 1 THEN 'job' ELSE 'pool' END, charge_part,
       CASE WHEN split_result.part = 1 THEN attempt_id END,
       CASE WHEN split_result.part = 1 THEN NULL ELSE refund_pool END,
       NULL,
       CASE WHEN split_result.part = 1 THEN NULL ELSE 'refunded: ' || state END,
       CASE WHEN kept_seconds = 0 THEN held_seconds
            WHEN split_result.part = 1 THEN round(held_seconds * kept_seconds / (kept_seconds + refunded_seconds), 6)
            ELSE held_seconds - round(held_seconds * kept_seconds / (kept_seconds + refunded_seconds), 6) END,
       coalesce(split_result.billed_cost, refunded_part.billed_cost),
       coalesce(split_result.effective_cost, refunded_part.effective_cost)
FROM refunded_part
LEFT JOIN split_result USING (request_id);

-- Rows of statements that a test invents: table planted_row has the columns of statement_row but
-- sum_id. They become sums with their details; the table is gone then.
INSERT INTO statement_sum (statement_month, sum_id, block, line_type, invoice_key, cost_centre, component, row_key, pool, reason, gl_account, is_of_attempts,
                           row_count, billed_cost, effective_cost, amount, minor_units)
SELECT statement_month, row_number() OVER (PARTITION BY statement_month
                                           ORDER BY cost_centre COLLATE "C" NULLS FIRST, block, line_type, invoice_key, component COLLATE "C", row_key COLLATE "C"),
       block, line_type, invoice_key, cost_centre, component, row_key, pool, reason, gl_account, attempt_id IS NOT NULL,
       count(*), sum(billed_cost), sum(effective_cost), sum(amount), sum(minor_units)
FROM planted_row
GROUP BY statement_month, block, line_type, invoice_key, cost_centre, component, row_key, pool, reason, gl_account, attempt_id IS NOT NULL;

INSERT INTO statement_detail (statement_month, sum_id, attempt_id, billed_cost, effective_cost, amount, minor_units)
SELECT planted_row.statement_month, sum_id, attempt_id, planted_row.billed_cost, planted_row.effective_cost, planted_row.amount, planted_row.minor_units
FROM planted_row
JOIN statement_sum AS added
     ON (added.statement_month, added.block, added.line_type, added.invoice_key, added.cost_centre, added.component, added.row_key, added.pool, added.reason,
         added.gl_account, added.is_of_attempts)
        IS NOT DISTINCT FROM
        (planted_row.statement_month, planted_row.block, planted_row.line_type, planted_row.invoice_key, planted_row.cost_centre, planted_row.component,
         planted_row.row_key, planted_row.pool, planted_row.reason, planted_row.gl_account, planted_row.attempt_id IS NOT NULL)
ORDER BY planted_row.statement_month, sum_id, attempt_id;

DROP TABLE planted_row;

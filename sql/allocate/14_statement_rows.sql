-- The rows as published, with their cents and their account: the cost centre's on the month's last day, else the account of
-- its line type (settings). A cost centre that is closed by then is charged all the same, on the suspense account.
INSERT INTO statement_row (statement_month, block, line_type, invoice_key, cost_centre, component, row_key, attempt_id,
                           pool, reason, gl_account, billed_cost, effective_cost, amount, minor_units)
WITH row_cents AS (
    SELECT leaf_id, minor_units
    FROM cents_result JOIN cell_leaf ON cell_id = request_id AND cell_leaf.part = cents_result.part
    UNION ALL
    SELECT leaf_id, minor_units
    FROM placed_leaf JOIN branch_cents USING (invoice_key, branch)
    WHERE branch > 0 AND branch_key = row_key
    UNION ALL -- a carrier's credit is the negative of what its transfer handed out
    SELECT leaf_id, -handed_out
    FROM placed_leaf
    JOIN (SELECT transfer, sum(minor_units)::bigint AS handed_out
          FROM cell_cents WHERE block = 'off the bill' GROUP BY transfer) AS transfer_cents USING (transfer)
    WHERE block = 'off the bill' AND attempt_id IS NULL
)
SELECT statement_month, block, line_type, invoice_key, placed_leaf.cost_centre, component, row_key, attempt_id, pool, reason,
       coalesce(placed_leaf.gl_account, centre.gl_account,
                pg_temp.setting_on(CASE line_type WHEN 'charge' THEN 'suspense' ELSE line_type END || '_gl_account', last_day, NULL)),
       billed_cost, effective_cost, statement_amount, minor_units
FROM placed_leaf
JOIN row_cents USING (leaf_id)
CROSS JOIN month
LEFT JOIN (SELECT DISTINCT ON (cost_centre) cost_centre, gl_account
           FROM cost_centre
           CROSS JOIN month
           WHERE valid_from <= last_day AND last_day < valid_to
           ORDER BY cost_centre, valid_from DESC) AS centre ON centre.cost_centre = placed_leaf.cost_centre;

SELECT analyze_tables('statement_row', 'statement_invoice');

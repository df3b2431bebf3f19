-- Second level: charged of an invoice to its cells (cost centre × component, then unallocated by reason). A transfer off the
-- bill is a parent of its own, rounded half away from zero; its cells are its cost centres.
CREATE TEMP TABLE branch_cents ON COMMIT DROP AS
SELECT invoice_key, branch, branch_key, minor_units
FROM cents_result JOIN invoice_branch USING (request_id, part);

CREATE TEMP TABLE cell ON COMMIT DROP AS
SELECT row_number() OVER () AS cell_id, cells.*
FROM (SELECT block, invoice_key, line_type, cost_centre, cell_component AS component, cell_position AS component_position,
             reason, transfer, sum(statement_amount) AS amount
      FROM placed_leaf
      WHERE branch = 0 AND NOT (block = 'off the bill' AND attempt_id IS NULL)
      GROUP BY block, invoice_key, line_type, cost_centre, cell_component, cell_position, reason, transfer) AS cells;

CREATE TEMP TABLE cell_parent ON COMMIT DROP AS
SELECT cell_id, dense_rank() OVER (ORDER BY block, cell.invoice_key, cell.transfer) AS request_id,
       row_number() OVER (PARTITION BY block, cell.invoice_key, cell.transfer
                          ORDER BY line_type, cost_centre COLLATE "C", component_position, reason COLLATE "C") AS part,
       cell.amount,
       CASE block
           WHEN 'invoice' THEN branch_cents.minor_units
           ELSE round(sum(cell.amount) OVER (PARTITION BY block, cell.transfer)
                      * ('1e' || minor_unit_digits)::numeric)::bigint
       END AS parent_minor
FROM cell
CROSS JOIN month
LEFT JOIN branch_cents ON branch_cents.invoice_key = cell.invoice_key AND branch = 0;

INSERT INTO cents_request (request_id, part, amount, parent_minor)
SELECT request_id, part, amount, parent_minor FROM cell_parent;

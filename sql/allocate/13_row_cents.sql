-- Third level: cells to rows.
CREATE TEMP TABLE cell_cents ON COMMIT DROP AS
SELECT cell.*, minor_units
FROM cents_result
JOIN cell_parent USING (request_id, part)
JOIN (SELECT cell_id, block, invoice_key, line_type, cost_centre, component, reason, transfer FROM cell) AS cell USING (cell_id);

CREATE TEMP TABLE cell_leaf ON COMMIT DROP AS
SELECT leaf_id, cell_id, minor_units AS parent_minor, statement_amount AS amount,
       row_number() OVER (PARTITION BY cell_id ORDER BY attempt_id, row_key COLLATE "C", component_position) AS part
FROM placed_leaf
JOIN cell_cents ON placed_leaf.block = cell_cents.block
               AND coalesce(placed_leaf.invoice_key, 0) = coalesce(cell_cents.invoice_key, 0)
               AND placed_leaf.line_type = cell_cents.line_type
               AND coalesce(placed_leaf.cost_centre, '') = coalesce(cell_cents.cost_centre, '')
               AND coalesce(cell_component, '') = coalesce(cell_cents.component, '')
               AND coalesce(placed_leaf.reason, '') = coalesce(cell_cents.reason, '')
               AND coalesce(placed_leaf.transfer, '') = coalesce(cell_cents.transfer, '')
WHERE branch = 0 AND NOT (placed_leaf.block = 'off the bill' AND attempt_id IS NULL);

INSERT INTO cents_request (request_id, part, amount, parent_minor)
SELECT cell_id, part, amount, parent_minor FROM cell_leaf;

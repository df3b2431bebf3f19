-- A quarantined row with a billed cost and without an effective one was called unread: what its invoice says was
-- missing from the statement. And the notes named files by their internal numbers.

-- A row of a delivery as messages name it. A delivery of one file may have that file's own place as its label.
CREATE FUNCTION row_place(label text, path text, line_number bigint, column_name text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN concat_ws(', ', CASE WHEN right(label, length(path) + 1) = '/' || path THEN label ELSE label || '/' || path END,
                 'line ' || line_number, 'column ' || column_name);

-- The quarantined rows of bills, with their money. A row whose billed cost and invoice can be read (is_read) stands on
-- the statement as 'unallocated: quarantined'; an effective cost that cannot be read counts as billed. note_kind and
-- note say what keeps the close waiting; null: nothing.
CREATE VIEW quarantined_money AS
SELECT load_id, load.source, load.statement_month, billing_period, delivery_id, file_id, line_number,
       row_place(label, path, line_number, column_name) AS place, reason, is_read, invoice_key, commitment_discount_id, billing_currency,
       billed_cost, coalesce(effective_cost, billed_cost) AS effective_cost,
       CASE WHEN NOT is_read THEN 'unread money' WHEN effective_cost IS NULL THEN 'effective cost unread' END AS note_kind,
       CASE WHEN is_read AND effective_cost IS NULL THEN reason || ': counted as billed until the file is mended'
            WHEN NOT is_read THEN
                reason || ': without a '
                || CASE WHEN billed_cost IS NULL THEN 'billed cost' WHEN billing_currency IS NULL THEN 'currency' ELSE 'billing period or invoice' END
                || ' the row is not on the statement'
                || coalesce(', nor is its ' || coalesce('billed cost of ' || billed_cost, 'effective cost of ' || effective_cost)
                            || coalesce(' ' || billing_currency, ''), '') END AS note
FROM rejected_row
JOIN load USING (delivery_id, billing_period)
JOIN delivery USING (delivery_id)
JOIN source_file USING (delivery_id, file_id)
CROSS JOIN LATERAL (SELECT billed_cost IS NOT NULL AND invoice_key IS NOT NULL) AS money (is_read);

-- The accounts, resources, tags and other texts of the lines are those that were read: each key of
-- a line has its row, and the row its hash.
-- $1 is the month. As in each file of this folder that is a proof, the answer is one row: how many
-- were compared, how many differ, the first that does, and why nothing could be compared.
WITH place AS MATERIALIZED (
    SELECT chunk_id, load_chunk.billing_period, label || '/' || path AS file, first_line
    FROM statement_load
    JOIN load_chunk USING (load_id)
    JOIN source_file USING (file_id)
    JOIN delivery USING (delivery_id)
    WHERE statement_month = $1::date
), stated AS MATERIALIZED (
    SELECT DISTINCT chunk_id, billing_period FROM place
), sound AS MATERIALIZED (
    SELECT dimension, dimension_key FROM stored_dimension WHERE text_hash = hash_array_extended(texts, dimension_key)
), wrong AS MATERIALIZED (
    SELECT chunk_id, billing_period, line_in_chunk,
           CASE WHEN account.dimension_key IS DISTINCT FROM account_key THEN 'account, key ' || account_key
                WHEN invoice.dimension_key IS DISTINCT FROM invoice_key THEN 'invoice, key ' || invoice_key
                WHEN resource.dimension_key IS DISTINCT FROM resource_key THEN 'resource, key ' || resource_key
                WHEN sku.dimension_key IS DISTINCT FROM sku_key THEN 'sku, key ' || sku_key
                WHEN commitment.dimension_key IS DISTINCT FROM commitment_key THEN 'commitment, key ' || commitment_key
                WHEN kind.dimension_key IS DISTINCT FROM charge_kind_key THEN 'charge_kind, key ' || charge_kind_key
                WHEN description.dimension_key IS DISTINCT FROM charge_description_key
                    THEN 'charge_description, key ' || charge_description_key
                WHEN tags.dimension_key IS DISTINCT FROM tag_set_key THEN 'tag_set, key ' || tag_set_key
                ELSE 'custom_columns, key ' || custom_columns_key END AS text_row
    FROM billing_line
    JOIN stated USING (chunk_id, billing_period)
    LEFT JOIN sound AS account ON account.dimension = 0 AND account.dimension_key = account_key
    LEFT JOIN sound AS invoice ON invoice.dimension = 1 AND invoice.dimension_key = invoice_key
    LEFT JOIN sound AS resource ON resource.dimension = 2 AND resource.dimension_key = resource_key
    LEFT JOIN sound AS sku ON sku.dimension = 3 AND sku.dimension_key = sku_key
    LEFT JOIN sound AS commitment ON commitment.dimension = 4 AND commitment.dimension_key = commitment_key
    LEFT JOIN sound AS kind ON kind.dimension = 5 AND kind.dimension_key = charge_kind_key
    LEFT JOIN sound AS description ON description.dimension = 6 AND description.dimension_key = charge_description_key
    LEFT JOIN sound AS tags ON tags.dimension = 7 AND tags.dimension_key = tag_set_key
    LEFT JOIN sound AS custom ON custom.dimension = 8 AND custom.dimension_key = custom_columns_key
    WHERE billing_line.billing_period = ANY (ARRAY(SELECT billing_period FROM stated))
      AND (account.dimension_key, invoice.dimension_key, resource.dimension_key, sku.dimension_key, commitment.dimension_key, kind.dimension_key,
           description.dimension_key, tags.dimension_key, custom.dimension_key)
          IS DISTINCT FROM (account_key, invoice_key, resource_key, sku_key, commitment_key, charge_kind_key, charge_description_key, tag_set_key,
                            custom_columns_key)
)
SELECT (SELECT coalesce(sum(row_count), 0) FROM stated JOIN chunk USING (chunk_id, billing_period)), (SELECT count(*) FROM wrong),
       (SELECT format('%s, line %s: its row of %s, is not as it was read', file, first_line + line_in_chunk, text_row)
        FROM wrong
        JOIN place USING (chunk_id, billing_period)
        ORDER BY file COLLATE "C", first_line + line_in_chunk, text_row COLLATE "C"
        LIMIT 1),
       (SELECT 'the lines were pruned' FROM pruned_month WHERE statement_month = $1::date);

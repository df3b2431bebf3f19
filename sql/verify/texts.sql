-- The accounts, resources, tags and other texts of the lines are those that were read: each key of
-- a line has a row, and the row's hash fits its texts.
--
-- $1 is the month. The answer is one row, as in each proof of this folder: how many were compared,
-- how many differ, the first that differs, and why nothing could be compared.
WITH stated AS MATERIALIZED (
    SELECT DISTINCT chunk_id, billing_period FROM chunk_place WHERE statement_month = $1::date
), sound AS MATERIALIZED (
    SELECT dimension, dimension_key FROM stored_dimension WHERE text_hash = hash_array_extended(texts, dimension_key)
), checked AS ( -- each key is looked up in memory: nothing is sorted for a join
    SELECT chunk_id, billing_period, line_in_chunk,
           CASE WHEN account_key IS NOT NULL AND account_key NOT IN (SELECT dimension_key FROM sound WHERE dimension = 0)
                    THEN 'account, key ' || account_key
                WHEN invoice_key NOT IN (SELECT dimension_key FROM sound WHERE dimension = 1)
                    THEN 'invoice, key ' || invoice_key
                WHEN resource_key IS NOT NULL AND resource_key NOT IN (SELECT dimension_key FROM sound WHERE dimension = 2)
                    THEN 'resource, key ' || resource_key
                WHEN sku_key IS NOT NULL AND sku_key NOT IN (SELECT dimension_key FROM sound WHERE dimension = 3)
                    THEN 'sku, key ' || sku_key
                WHEN commitment_key IS NOT NULL AND commitment_key NOT IN (SELECT dimension_key FROM sound WHERE dimension = 4)
                    THEN 'commitment, key ' || commitment_key
                WHEN charge_kind_key NOT IN (SELECT dimension_key FROM sound WHERE dimension = 5)
                    THEN 'charge_kind, key ' || charge_kind_key
                WHEN charge_description_key IS NOT NULL AND charge_description_key NOT IN (SELECT dimension_key FROM sound WHERE dimension = 6)
                    THEN 'charge_description, key ' || charge_description_key
                WHEN tag_set_key IS NOT NULL AND tag_set_key NOT IN (SELECT dimension_key FROM sound WHERE dimension = 7)
                    THEN 'tag_set, key ' || tag_set_key
                WHEN custom_columns_key IS NOT NULL AND custom_columns_key NOT IN (SELECT dimension_key FROM sound WHERE dimension = 8)
                    THEN 'custom_columns, key ' || custom_columns_key END AS text_row
    FROM billing_line
    WHERE billing_period BETWEEN (SELECT min(billing_period) FROM stated) AND (SELECT max(billing_period) FROM stated)
      AND ((chunk_id, billing_period) IN (SELECT chunk_id, billing_period FROM stated)) IS TRUE
), wrong AS MATERIALIZED (
    SELECT * FROM checked WHERE text_row IS NOT NULL
)
SELECT (SELECT coalesce(sum(row_count), 0) FROM stated JOIN chunk USING (chunk_id, billing_period)), (SELECT count(*) FROM wrong),
       (SELECT format('%s, line %s: its %s, is not as it was read', file, first_line + line_in_chunk, text_row)
        FROM wrong
        JOIN chunk_place USING (chunk_id, billing_period)
        WHERE statement_month = $1::date
        ORDER BY file COLLATE "C", first_line + line_in_chunk, text_row COLLATE "C"
        LIMIT 1),
       (SELECT 'the lines were pruned' FROM pruned_month WHERE statement_month = $1::date);

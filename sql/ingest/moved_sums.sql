-- The lines of the chunks without a sum, in the columns of verify/lines.sql.
COPY (
    WITH filled AS MATERIALIZED (
        SELECT chunk_id, billing_period FROM chunk WHERE lines_sum IS NULL
    )
    SELECT billing_period, chunk_id, line_in_chunk, row_in_record, charge_period_start, charge_period_end, account_key, invoice_key, resource_key,
           sku_key, commitment_key, charge_kind_key, charge_description_key, tag_set_key, custom_columns_key, billed_cost, effective_cost, list_cost,
           contracted_cost, consumed_quantity, pricing_quantity, node_hash
    FROM billing_line
    WHERE billing_period BETWEEN (SELECT min(billing_period) FROM filled) AND (SELECT max(billing_period) FROM filled)
      AND ((chunk_id, billing_period) IN (SELECT chunk_id, billing_period FROM filled)) IS TRUE
) TO STDOUT (FORMAT binary);

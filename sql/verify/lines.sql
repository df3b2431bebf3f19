-- The stored lines of the month in kstar.verified_month, in the columns in which a load sends them
-- (ingest/bill/line_sums.h).
COPY (
    WITH stated AS MATERIALIZED (
        SELECT DISTINCT chunk_id, load_chunk.billing_period
        FROM statement_load
        JOIN load_chunk USING (load_id)
        WHERE statement_month = current_setting('kstar.verified_month')::date
    )
    SELECT billing_period, chunk_id, line_in_chunk, row_in_record, charge_period_start, charge_period_end, account_key, invoice_key, resource_key,
           sku_key, commitment_key, charge_kind_key, charge_description_key, tag_set_key, custom_columns_key, billed_cost, effective_cost, list_cost,
           contracted_cost, consumed_quantity, pricing_quantity, node_hash
    FROM billing_line
    WHERE billing_period BETWEEN (SELECT min(billing_period) FROM stated) AND (SELECT max(billing_period) FROM stated)
      AND ((chunk_id, billing_period) IN (SELECT chunk_id, billing_period FROM stated)) IS TRUE -- looked up line by line: not sorted for a join
) TO STDOUT (FORMAT binary);

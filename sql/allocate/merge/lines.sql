-- The lines of month $1 for reader $2 of $3, ordered so that the lines of a node are together. They
-- are read from the tables of loads, which every connection sees. $4 asks for the file and line
-- number. $5, if not null, restricts the rows to some places.
DECLARE month_lines NO SCROLL CURSOR FOR
SELECT node_hash, invoice_key, charge_kind_key, account_key, resource_key, sku_key, commitment_key, tag_set_key, charge_description_key,
       charge_period_start, charge_period_end, billed_cost, effective_cost, list_cost, contracted_cost, consumed_quantity, pricing_quantity,
       CASE WHEN $4::boolean THEN file_id END                    AS file_id,
       CASE WHEN $4::boolean THEN first_line + line_in_chunk END AS line_number,
       CASE WHEN $4::boolean THEN row_in_record::integer END     AS row_in_record
FROM current_chunk
JOIN billing_line USING (chunk_id, billing_period)
WHERE statement_month = $1::date
  -- a condition on the table's own column skips the partitions of other months
  AND billing_line.billing_period >= $1::date AND billing_line.billing_period < ($1::date + interval '1 month')::date
  AND (node_hash & 2147483647) % $3::integer = $2::integer
  AND ($5::bigint[] IS NULL OR node_hash = ANY ($5::bigint[]))
ORDER BY node_hash

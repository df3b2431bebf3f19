-- Fills load $1 of billing period $2 with the lines of the period's current load that line_again
-- does not list. A chunk that keeps all of its lines is shared. If a chunk loses some, the others
-- become a new chunk, whose lines are still to be added up (moved_sums.sql).
WITH former AS (
    SELECT current_load.load_id
    FROM load
    JOIN current_load USING (source, billing_period)
    WHERE load.load_id = $1::integer
), place AS (
    SELECT file_id, first_line, chunk_id, row_count, count(line_again.load_id) AS withdrawn
    FROM former
    JOIN load_chunk USING (load_id)
    JOIN chunk USING (chunk_id, billing_period)
    LEFT JOIN line_again USING (load_id, file_id, first_line)
    GROUP BY file_id, first_line, chunk_id, row_count
), number AS MATERIALIZED (
    SELECT nextval('chunk_number') AS chunk_number
), cut AS MATERIALIZED (
    SELECT file_id, first_line, chunk_id, chunk_number + row_number() OVER (ORDER BY file_id, first_line) AS rest_id
    FROM place
    CROSS JOIN number
    WHERE withdrawn > 0 AND withdrawn < row_count
), rest AS MATERIALIZED (
    SELECT rest_id, billing_line.*
    FROM cut
    JOIN billing_line ON billing_line.chunk_id = cut.chunk_id AND billing_line.billing_period = $2::date
    LEFT JOIN line_again ON line_again.file_id = cut.file_id AND line_again.first_line = cut.first_line
                        AND line_again.line_in_chunk = billing_line.line_in_chunk AND line_again.row_in_record = billing_line.row_in_record
    WHERE line_again.file_id IS NULL
), line AS (
    INSERT INTO billing_line (charge_period_start, charge_period_end, invoice_key, charge_kind_key, account_key, resource_key, sku_key, commitment_key,
                              tag_set_key, charge_description_key, custom_columns_key, chunk_id, billing_period, line_in_chunk, row_in_record,
                              billed_cost, effective_cost, list_cost, contracted_cost, consumed_quantity, pricing_quantity, node_hash)
    SELECT charge_period_start, charge_period_end, invoice_key, charge_kind_key, account_key, resource_key, sku_key, commitment_key,
           tag_set_key, charge_description_key, custom_columns_key, rest_id, billing_period, line_in_chunk, row_in_record,
           billed_cost, effective_cost, list_cost, contracted_cost, consumed_quantity, pricing_quantity, node_hash
    FROM rest
-- coverage as in ingest/bill/billing_reader.c (covers_time, states_usage)
), counted AS (
    SELECT rest_id, max(line_in_chunk) AS last_line, count(*) AS row_count,
           min(charge_period_start) FILTER (WHERE covers_time) AS covered_from, max(charge_period_end) FILTER (WHERE covers_time) AS covered_to,
           min(charge_period_start) FILTER (WHERE states_time) AS usage_from, max(charge_period_end) FILTER (WHERE states_time) AS usage_to
    FROM rest
    JOIN charge_kind USING (charge_kind_key)
    CROSS JOIN LATERAL (SELECT charge_category = 'Usage' AND commitment_discount_status IS DISTINCT FROM 'Unused') AS coverage (covers_time)
    CROSS JOIN LATERAL (SELECT covers_time AND charge_class IS DISTINCT FROM 'Correction'
                               AND charge_period_end - charge_period_start <= interval '168 hours') AS telling (states_time)
    GROUP BY rest_id
), rest_chunk AS (
    INSERT INTO chunk (chunk_id, billing_period, source, line_count, record_count, last_line, row_count, covered_from, covered_to, usage_from, usage_to)
    SELECT rest_id, billing_period, source, line_count, record_count, counted.last_line, counted.row_count, counted.covered_from, counted.covered_to,
           counted.usage_from, counted.usage_to
    FROM cut
    JOIN counted USING (rest_id)
    JOIN chunk ON chunk.chunk_id = cut.chunk_id AND chunk.billing_period = $2::date
), invoice_sum AS (
    INSERT INTO chunk_invoice (chunk_id, billing_period, invoice_key, billed_cost, effective_cost, cancelled_cost)
    SELECT rest_id, $2::date, invoice_key, sum(billed_cost), sum(effective_cost), sum(cancelled_cost)
    FROM (SELECT rest_id, invoice_key, billed_cost, effective_cost, 0 AS cancelled_cost FROM rest
          UNION ALL
          SELECT rest_id, invoice_key, 0, 0, cancelled_cost
          FROM cut
          JOIN chunk_invoice ON chunk_invoice.chunk_id = cut.chunk_id AND chunk_invoice.billing_period = $2::date
          WHERE cancelled_cost <> 0) AS part
    GROUP BY rest_id, invoice_key
)
INSERT INTO load_chunk (load_id, file_id, first_line, chunk_id, billing_period)
SELECT $1::integer, file_id, first_line, chunk_id, $2::date FROM place WHERE withdrawn = 0
UNION ALL
SELECT $1::integer, file_id, first_line, rest_id, $2::date FROM cut;

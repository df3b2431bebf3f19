-- Removes what prune/plan.sql has found. First it stores the sums that prove the published
-- statement.
INSERT INTO prune_rewrite (table_name)
SELECT table_name FROM prune_table WHERE NOT is_dropped
ON CONFLICT DO NOTHING;

INSERT INTO pruned_month (statement_month, holds_to)
SELECT statement_month, holds_to
FROM prune_month CROSS JOIN prune_hold
WHERE reason IS NULL;

INSERT INTO pruned_invoice (statement_month, invoice_key, billed_cost, effective_cost)
SELECT statement_month, invoice_key, sum(billed_cost), sum(effective_cost)
FROM charge
JOIN prune_month USING (statement_month)
WHERE prune_month.reason IS NULL
GROUP BY statement_month, invoice_key;

INSERT INTO pruned_load (source, billing_period, billing_currency, billed_cost, effective_cost)
SELECT source, billing_period, billing_currency, sum(billed_cost), sum(effective_cost)
FROM (SELECT statement_month, current_chunk.source, current_chunk.billing_period, billing_currency, billed_cost, effective_cost
      FROM current_chunk
      JOIN chunk_invoice USING (chunk_id, billing_period)
      JOIN invoice USING (invoice_key)
      UNION ALL
      SELECT statement_month, source, billing_period, billing_currency, billed_cost, effective_cost
      FROM quarantined_money
      JOIN current_load USING (load_id, source, billing_period)
      WHERE is_read) AS billed
JOIN prune_month USING (statement_month)
WHERE reason IS NULL
GROUP BY source, billing_period, billing_currency;

DELETE FROM charge
USING prune_month
WHERE charge.statement_month = prune_month.statement_month AND prune_month.reason IS NULL;

DELETE FROM class_charge
USING prune_month
WHERE class_charge.statement_month = prune_month.statement_month AND prune_month.reason IS NULL;

DELETE FROM job_hold
USING job, prune_hold
WHERE job.attempt_id = job_hold.attempt_id AND job.end_time <= holds_to;

DELETE FROM load_chunk
USING left_place
WHERE load_chunk.load_id = left_place.load_id AND load_chunk.file_id = left_place.file_id AND load_chunk.first_line = left_place.first_line;

DO $$
DECLARE
    gone record;
BEGIN
    FOR gone IN SELECT table_name, is_dropped FROM prune_table WHERE table_name LIKE 'billing\_line\_%' LOOP
        IF gone.is_dropped THEN
            EXECUTE format('DROP TABLE kstar.%I', gone.table_name);
        ELSE
            EXECUTE format('DELETE FROM kstar.%1$I USING left_chunk
                            WHERE %1$I.billing_period = left_chunk.billing_period AND %1$I.chunk_id = left_chunk.chunk_id', gone.table_name);
        END IF;
    END LOOP;
END
$$;

DELETE FROM chunk_invoice
USING left_chunk
WHERE chunk_invoice.billing_period = left_chunk.billing_period AND chunk_invoice.chunk_id = left_chunk.chunk_id;

DELETE FROM chunk_content
USING left_chunk
WHERE chunk_content.billing_period = left_chunk.billing_period AND chunk_content.chunk_id = left_chunk.chunk_id;

UPDATE chunk -- a chunk of several billing periods is shared with all of them or not at all
SET content_key = NULL
FROM left_chunk
WHERE chunk.chunk_id = left_chunk.chunk_id AND chunk.billing_period <> left_chunk.billing_period AND content_key IS NOT NULL;

DELETE FROM chunk
USING left_chunk
WHERE chunk.billing_period = left_chunk.billing_period AND chunk.chunk_id = left_chunk.chunk_id;

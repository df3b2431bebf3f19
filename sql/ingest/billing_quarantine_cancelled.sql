-- Records that cancel one another (chunk_invoice.cancelled_cost) must add up to zero in each load
-- and currency of delivery $1. If they do not, what remains of each invoice is quarantined like a
-- row that could not be read, so the statement shows it. $2 says what a person can do about it.
WITH place AS (
    SELECT load_id, load.billing_period, file_id, first_line, invoice_key, billing_currency, cancelled_cost
    FROM load
    JOIN load_chunk USING (load_id)
    JOIN chunk_invoice USING (chunk_id)
    JOIN invoice USING (invoice_key)
    WHERE delivery_id = $1 AND chunk_invoice.billing_period = load.billing_period AND cancelled_cost <> 0
), unbalanced AS (
    SELECT load_id, billing_currency
    FROM place
    GROUP BY load_id, billing_currency
    HAVING sum(cancelled_cost) <> 0
), residue AS (
    SELECT load_id, billing_period, invoice_key, billing_currency, sum(cancelled_cost) AS cost,
           (array_agg(file_id ORDER BY file_id, first_line))[1]    AS file_id,
           (array_agg(first_line ORDER BY file_id, first_line))[1] AS first_line
    FROM place
    JOIN unbalanced USING (load_id, billing_currency)
    GROUP BY load_id, billing_period, invoice_key, billing_currency
    HAVING sum(cancelled_cost) <> 0
), kept AS (
    INSERT INTO quarantined_row (delivery_id, file_id, line_number, reason, raw, billing_period, invoice_key, billed_cost,
                              effective_cost, billing_currency)
    SELECT $1, file_id, first_line, 'records that cancel one another leave ' || cost || ' ' || billing_currency
           || ' of an invoice' || coalesce(': ' || $2, ''), '', billing_period, invoice_key, cost, cost, billing_currency
    FROM residue
    RETURNING file_id, line_number, reason
)
SELECT path, line_number, reason
FROM kept
JOIN source_file USING (file_id)
ORDER BY file_id, line_number, reason;

-- The lines as read, with the quarantined rows whose money could be read, are what the statement
-- has of each invoice. The invoice has the number that it was read with. $1 is the month, $2 the
-- rules (base/postgres/identity.h). An open month that is due to be published again may differ.
WITH read AS (
    SELECT invoice_key, chunk_invoice.billed_cost, chunk_invoice.effective_cost
    FROM statement_load
    JOIN load_chunk USING (load_id)
    JOIN chunk_invoice USING (chunk_id, billing_period)
    WHERE statement_month = $1::date
    UNION ALL
    SELECT invoice_key, billed_cost, effective_cost
    FROM quarantined_money
    JOIN statement_load USING (load_id, statement_month)
    WHERE statement_month = $1::date AND is_read
), was AS (
    SELECT invoice_key, sum(billed_cost) AS billed_read, sum(effective_cost) AS effective_read FROM read GROUP BY invoice_key
), held AS (
    SELECT *, (source, invoice_id, billing_currency) IS DISTINCT FROM (source_read, id_read, currency_read) AND key_of_stated IS NOT NULL AS is_renamed
    FROM (SELECT invoice_key AS key_of_stated, * FROM statement_invoice WHERE statement_month = $1::date) AS stated
    FULL JOIN was USING (invoice_key)
    LEFT JOIN (SELECT invoice_key, source AS source_read, invoice_id AS id_read, billing_currency AS currency_read FROM invoice) AS named USING (invoice_key)
), compared AS (
    SELECT (coalesce(billed_cost, 0) <> coalesce(billed_read, 0) OR coalesce(effective_cost, 0) <> coalesce(effective_read, 0) OR is_renamed)
           AND NOT EXISTS (SELECT FROM pruned_month WHERE statement_month = $1::date) AS differs,
           CASE WHEN is_renamed
                THEN format('invoice %s of %s in %s: it was read as %s of %s in %s', coalesce(invoice_id, '(open)'), source, billing_currency,
                            coalesce(id_read, '(open)'), source_read, currency_read)
                ELSE format('invoice %s of %s: %s billed and %s effective were read, the statement has %s and %s', coalesce(invoice_id, id_read, '(open)'),
                            coalesce(source, source_read), coalesce(billed_read, 0), coalesce(effective_read, 0), coalesce(billed_cost, 0),
                            coalesce(effective_cost, 0)) END AS what
    FROM held
), answer AS (
    SELECT count(*) AS checked, count(*) FILTER (WHERE differs) AS wrong, min(what COLLATE "C") FILTER (WHERE differs) AS first FROM compared
)
SELECT checked, wrong, first,
       CASE WHEN EXISTS (SELECT FROM pruned_month WHERE statement_month = $1::date) THEN 'the lines were pruned'
            WHEN wrong > 0 AND EXISTS (SELECT FROM statement
                                       WHERE statement_month = $1::date AND status = 'Preliminary'
                                         AND run_id <> statement_run_id(statement_month, $2, as_of))
                THEN 'deliveries or rules have changed since the statement was published: run the night first' END
FROM answer;

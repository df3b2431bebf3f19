-- The lines as read, and the quarantined rows whose money could be read, are what the statement has
-- of each invoice. $1 is the month, $2 the rules (base/postgres/identity.h): an open month that is
-- to be published again may differ.
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
), compared AS (
    SELECT
           (coalesce(billed_cost, 0) <> coalesce(billed_read, 0) OR coalesce(effective_cost, 0) <> coalesce(effective_read, 0))
           AND NOT EXISTS (SELECT FROM pruned_month WHERE statement_month = $1::date) AS differs,
           format('invoice %s of %s: %s billed and %s effective were read, the statement has %s and %s', coalesce(stated.invoice_id, invoice.invoice_id, '(open)'),
                  coalesce(stated.source, invoice.source), coalesce(billed_read, 0), coalesce(effective_read, 0), coalesce(billed_cost, 0),
                  coalesce(effective_cost, 0)) AS what
    FROM (SELECT * FROM statement_invoice WHERE statement_month = $1::date) AS stated
    FULL JOIN was USING (invoice_key)
    LEFT JOIN invoice USING (invoice_key)
), answer AS (
    SELECT count(*) AS checked, count(*) FILTER (WHERE differs) AS wrong, min(what COLLATE "C") FILTER (WHERE differs) AS first FROM compared
), published AS MATERIALIZED (
    SELECT run_id, set_in_transaction('kstar.as_of', as_of::text)
    FROM statement
    WHERE statement_month = $1::date AND status = 'Preliminary' AND (SELECT wrong FROM answer) > 0
)
SELECT checked, wrong, first,
       CASE WHEN EXISTS (SELECT FROM pruned_month WHERE statement_month = $1::date) THEN 'the lines were pruned'
            WHEN EXISTS (SELECT FROM published WHERE run_id <> statement_run_id($1::date, $2))
                THEN 'deliveries or rules have changed since the statement was published: run the night first' END
FROM answer;

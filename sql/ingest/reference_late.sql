-- Finds the staged choices that are valid in closed months and differ from what was frozen there
-- (docs/late-facts.md, Choices that come late). Rows are compared within each closed month: a rule
-- that only ends later is not a late choice.
CREATE TEMPORARY TABLE late_choice (
    file            text NOT NULL,
    line            bigint NOT NULL,
    statement_month date NOT NULL, -- a closed month in which it is valid
    day             date           -- if it is valid on one day: a rate, a delivered amount
) ON COMMIT DROP;

DO $$
DECLARE
    staged record;
BEGIN
    FOR staged IN SELECT file, table_name FROM staged_reference_file
                  WHERE table_name = ANY (choice_tables()) AND table_name <> 'invoice_amount' ORDER BY file LOOP
        EXECUTE format($sql$
            INSERT INTO late_choice (file, line, statement_month, day)
            WITH closed AS (
                SELECT statement_month, daterange(statement_month, (statement_month + interval '1 month')::date) AS days
                FROM closure
            ), declared AS (
                SELECT file, line, NULL::date AS statement_month,
                       to_jsonb(jsonb_populate_record(NULL::kstar.%1$I, record)) AS content
                FROM staged_reference
                WHERE file = %2$L
                UNION ALL
                SELECT NULL, NULL, statement_month, content
                FROM frozen_reference
                WHERE table_name = %1$L
            ), dated AS (
                SELECT file, line, statement_month, content - '{valid_from,valid_to}'::text[] AS content,
                       daterange(coalesce((content ->> 'valid_from')::date, (content ->> 'rate_date')::date, (content ->> 'delivered_on')::date,
                                          (content ->> 'month' || '-01')::date, '-infinity'),
                                 coalesce((content ->> 'valid_to')::date, (content ->> 'rate_date')::date + 1, (content ->> 'delivered_on')::date + 1,
                                          ((content ->> 'month' || '-01')::date + interval '1 month')::date, 'infinity')) AS days
                FROM declared
            )
            SELECT dated.file, dated.line, closed.statement_month,
                   coalesce((dated.content ->> 'rate_date')::date, (dated.content ->> 'delivered_on')::date)
            FROM dated
            JOIN closed ON dated.days && closed.days
            WHERE dated.line IS NOT NULL
              AND NOT EXISTS (SELECT FROM dated AS frozen
                              WHERE frozen.statement_month = closed.statement_month
                                AND frozen.content = dated.content AND frozen.days * closed.days = dated.days * closed.days)
            $sql$, staged.table_name, staged.file);
    END LOOP;
END
$$;

-- In nodes.csv and node_types.csv only the idle pool is a choice; the rest are facts. A row is late
-- if it gives a node another pool than the close had, or a cluster and type of which there are
-- nodes.
INSERT INTO late_choice (file, line, statement_month)
SELECT DISTINCT file, line, statement_month
FROM staged_reference
CROSS JOIN LATERAL jsonb_populate_record(NULL::declared_node, record) AS declared
JOIN frozen_idle_pool AS frozen ON frozen.cluster = declared.cluster AND frozen.node = declared.node
                               AND frozen.resource_id = lower(declared.resource_id)
WHERE file = 'nodes.csv' AND line IS NOT NULL AND frozen.idle_pool IS DISTINCT FROM declared.idle_pool
  AND greatest(frozen.valid_from, declared.valid_from, statement_month::timestamptz)
      < least(frozen.valid_to, declared.valid_to, (statement_month + interval '1 month')::timestamptz)
UNION ALL
SELECT file, line, statement_month
FROM staged_reference
CROSS JOIN LATERAL jsonb_populate_record(NULL::node_type, record) AS declared
CROSS JOIN closure
LEFT JOIN frozen_type_pool AS frozen USING (statement_month, cluster, node_type)
WHERE file = 'node_types.csv' AND line IS NOT NULL AND frozen.idle_pool IS DISTINCT FROM declared.idle_pool
  AND EXISTS (SELECT FROM frozen_idle_pool
              WHERE frozen_idle_pool.statement_month = closure.statement_month AND frozen_idle_pool.cluster = declared.cluster
                AND frozen_idle_pool.node_type IS NOT NULL AND declared.node_type IN ('', frozen_idle_pool.node_type));

-- In invoices.csv the date is a choice: it gives an invoice of a closed month its exchange rate.
-- The amounts are no choice: they are compared with the bill as it is today
-- (close/adjustments.sql).
INSERT INTO late_choice (file, line, statement_month)
SELECT file, line, statement_month
FROM staged_reference
CROSS JOIN LATERAL jsonb_populate_record(NULL::invoice_amount, record) AS declared
JOIN stated_invoice_amount AS frozen ON frozen.invoice_id = declared.invoice_id AND frozen.invoice_issuer_name = declared.invoice_issuer_name
                                    AND frozen.currency = declared.currency
JOIN statement USING (statement_month)
WHERE file = 'invoices.csv' AND line IS NOT NULL AND status = 'Final' AND frozen.invoice_date <> declared.invoice_date
  AND declared.currency <> statement_currency
  AND EXISTS (SELECT FROM statement_invoice AS closed
              WHERE closed.statement_month = statement.statement_month AND closed.invoice_id = declared.invoice_id
                AND closed.invoice_issuer_name = declared.invoice_issuer_name AND closed.billing_currency = declared.currency);

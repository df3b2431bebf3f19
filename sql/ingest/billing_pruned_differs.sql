-- How load $1, of a month that was pruned, differs from the pruned load of the same source and
-- billing period. No row: they are equal.
WITH incoming AS (
    SELECT * FROM load WHERE load_id = $1
), billed AS (
    SELECT billing_currency, sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
    FROM (SELECT billing_currency, billed_cost, effective_cost
          FROM load_chunk
          JOIN chunk_invoice USING (chunk_id, billing_period)
          JOIN invoice USING (invoice_key)
          WHERE load_id = $1
          UNION ALL
          SELECT billing_currency, billed_cost, effective_cost
          FROM quarantined_money
          WHERE load_id = $1 AND is_read) AS row
    GROUP BY billing_currency
), pruned AS (
    SELECT billing_currency, billed_cost, effective_cost
    FROM pruned_load
    JOIN incoming USING (source, billing_period)
), difference AS (
    SELECT 1 AS position, format('%s rows instead of %s', incoming.row_count, coalesce(former.row_count, 0)) AS what
    FROM incoming
    LEFT JOIN (current_load JOIN load AS former USING (load_id, source, billing_period)) USING (source, billing_period)
    WHERE incoming.row_count <> coalesce(former.row_count, 0)
    UNION ALL
    SELECT 2, format('%s rows quarantined instead of %s', kept.incoming, kept.former)
    FROM (SELECT (SELECT count(*) FROM quarantined_row JOIN incoming USING (delivery_id, billing_period)) AS incoming,
                 (SELECT count(*) FROM quarantined_row
                  JOIN load AS former USING (delivery_id, billing_period)
                  JOIN current_load USING (load_id)
                  JOIN incoming ON incoming.source = former.source AND incoming.billing_period = former.billing_period) AS former) AS kept
    WHERE kept.incoming <> kept.former
    UNION ALL
    SELECT 3, format('%s %s billed and %s effective instead of %s and %s', billing_currency,
                     trim_scale(coalesce(billed.billed_cost, 0)), trim_scale(coalesce(billed.effective_cost, 0)),
                     trim_scale(coalesce(pruned.billed_cost, 0)), trim_scale(coalesce(pruned.effective_cost, 0)))
    FROM billed
    FULL JOIN pruned USING (billing_currency)
    WHERE coalesce(billed.billed_cost, 0) <> coalesce(pruned.billed_cost, 0)
       OR coalesce(billed.effective_cost, 0) <> coalesce(pruned.effective_cost, 0)
)
SELECT string_agg(what, ', ' ORDER BY position, what COLLATE "C")
FROM difference
HAVING count(*) > 0;

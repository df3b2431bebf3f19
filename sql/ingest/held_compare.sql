-- Why load $1 is held: it covers fewer days than the load that it would replace, or bills far less.
-- No row: it is not held. The money of a load is the sum of its chunks, with the readable amounts
-- of quarantined rows; the reason counts quarantined rows. The days of a load are those of its
-- lines of a week or less, if both loads have such lines. Longer lines cover the whole month from
-- its first day on, or belong to another month.
WITH incoming AS (
    SELECT * FROM load WHERE load_id = $1
), former AS (
    SELECT load.*
    FROM load
    JOIN current_load USING (load_id)
    JOIN incoming ON incoming.source = load.source AND incoming.billing_period = load.billing_period
), rule AS (
    SELECT coalesce((SELECT value::numeric FROM setting WHERE parameter = 'held_below_share'
                       AND valid_from <= incoming.billing_period AND incoming.billing_period < valid_to), 0.5) AS below_share,
           coalesce((SELECT value::integer FROM setting WHERE parameter = 'held_days_fewer'
                       AND valid_from <= incoming.billing_period AND incoming.billing_period < valid_to), 1) AS days_fewer
    FROM incoming
), days AS (
    SELECT CASE WHEN both_tell THEN incoming.usage_from ELSE incoming.covered_from END AS incoming_from,
           CASE WHEN both_tell THEN incoming.usage_to ELSE incoming.covered_to END     AS incoming_to,
           CASE WHEN both_tell THEN former.usage_from ELSE former.covered_from END     AS former_from,
           CASE WHEN both_tell THEN former.usage_to ELSE former.covered_to END         AS former_to
    FROM incoming
    CROSS JOIN former
    CROSS JOIN LATERAL (SELECT incoming.usage_to IS NOT NULL AND former.usage_to IS NOT NULL) AS compared (both_tell)
), place AS (
    SELECT chunk_id, load_chunk.billing_period, count(*) FILTER (WHERE load_chunk.load_id = incoming.load_id)
                                     - count(*) FILTER (WHERE load_chunk.load_id = former.load_id) AS more
    FROM load_chunk
    CROSS JOIN incoming
    CROSS JOIN former
    WHERE load_chunk.load_id IN (incoming.load_id, former.load_id)
    GROUP BY chunk_id, load_chunk.billing_period
), quarantined AS MATERIALIZED (
    SELECT * FROM quarantined_money WHERE load_id IN (SELECT load_id FROM incoming UNION SELECT load_id FROM former)
), change AS (
    SELECT billing_currency, sum(billed) AS billed
    FROM (SELECT billing_currency, billed_cost * more AS billed
          FROM chunk_invoice
          JOIN place USING (chunk_id, billing_period)
          JOIN invoice USING (invoice_key)
          WHERE more <> 0
          UNION ALL
          SELECT billing_currency, CASE load_id WHEN $1 THEN billed_cost ELSE -billed_cost END FROM quarantined WHERE is_read) AS changed
    GROUP BY billing_currency
), before AS (
    SELECT billing_currency, sum(billed_cost) AS billed
    FROM (SELECT billing_currency, billed_cost
          FROM chunk_invoice
          JOIN load_chunk USING (chunk_id, billing_period)
          JOIN former ON former.load_id = load_chunk.load_id
          JOIN invoice USING (invoice_key)
          UNION ALL
          SELECT billing_currency, billed_cost FROM quarantined JOIN former USING (load_id) WHERE is_read) AS billed
    GROUP BY billing_currency
), unread AS (
    SELECT count(*) AS row_count, (array_agg(place || ': ' || reason ORDER BY place COLLATE "C", line_number))[1] AS first_one
    FROM quarantined
    WHERE load_id = $1
), reason AS (
    SELECT 0 AS position,
           format('it has no line of %s%s; lines that were there before: %s', to_char(incoming.billing_period, 'YYYY-MM-DD'),
                  CASE unread.row_count WHEN 0 THEN ' any more' ELSE ' that can be read' END, former.row_count) AS reason
    FROM incoming CROSS JOIN former CROSS JOIN unread
    WHERE incoming.row_count = 0 AND former.row_count > 0
    UNION ALL
    SELECT 1, format('it covers %s to %s, but %s to %s was there before',
                  coalesce(to_char(incoming_from, 'YYYY-MM-DD'), 'no day'), coalesce(to_char(incoming_to, 'YYYY-MM-DD'), 'none'),
                  to_char(former_from, 'YYYY-MM-DD'), to_char(former_to, 'YYYY-MM-DD'))
    FROM days CROSS JOIN rule
    WHERE former_from IS NOT NULL
      AND (incoming_from IS NULL
           OR incoming_from >= former_from + days_fewer * interval '1 day'
           OR incoming_to <= former_to - days_fewer * interval '1 day')
    UNION ALL
    SELECT 2, format('it bills %s %s, but %s %s was there before',
                     billing_currency, trim_scale(before.billed + coalesce(change.billed, 0)), billing_currency, trim_scale(before.billed))
    FROM before
    LEFT JOIN change USING (billing_currency)
    CROSS JOIN rule
    WHERE before.billed > 0 AND before.billed + coalesce(change.billed, 0) < before.billed * below_share
)
SELECT reason || CASE WHEN row_count > 0 THEN format('; quarantined rows: %s (%s)', row_count, first_one) ELSE '' END,
       (SELECT to_char(billing_period, 'YYYY-MM-DD') FROM incoming)
FROM reason
CROSS JOIN unread
ORDER BY position, reason COLLATE "C"
LIMIT 1;

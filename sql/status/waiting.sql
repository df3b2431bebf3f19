-- What waits for a person: refused, held, incomplete, differing and late deliveries, months that
-- were not published, quarantined rows, notes that block a close, measurements that do not count,
-- unallocated cost, crossed budgets, and trainings to be approved. What was refused is named
-- without the folder of the inbox: a long one would fill the column.
WITH night AS (
    SELECT max(run_number) AS run_number FROM run_state WHERE command = 'nightly' AND state <> 'running'
), open AS (
    SELECT *, to_char(statement_month, 'YYYY-MM') AS month FROM statement WHERE status <> 'Final'
), waiting (position, what, which, how_much, note) AS (
    SELECT 1, 'refused', label, NULL, CASE WHEN split_part(message, label, 1) LIKE '% %' THEN message ELSE substr(message, position(label IN message)) END
    FROM night JOIN run_delivery USING (run_number)
    WHERE outcome = 'refused'
    UNION ALL
    SELECT 2, 'held', label, CASE WHEN asks_if_moved THEN '--moved or --both' ELSE '--accept' END, reason || '; ' || answers
    FROM held_delivery
    UNION ALL
    SELECT 3, 'incomplete', run_delivery.label, NULL, message
    FROM night JOIN run_delivery USING (run_number)
    WHERE outcome = 'waits' AND NOT EXISTS (SELECT FROM held_delivery
                                            WHERE held_delivery.source = run_delivery.source AND held_delivery.label = run_delivery.label)
    UNION ALL
    SELECT 3, 'differs', run_delivery.label, NULL, message || '; book the difference outside of kstar'
    FROM night JOIN run_delivery USING (run_number)
    WHERE outcome = 'done' AND message IS NOT NULL
    UNION ALL
    SELECT 4, 'late', concat_ws(' ', kind, source), late_text(is_late, expected_by),
           format('expected within %s h', expected_within_hours) || coalesce(to_char(came_at, '" of "YYYY-MM-DD"T"HH24:MI:SS"Z"'), '')
    FROM source_expectation
    WHERE is_late
    UNION ALL
    SELECT 5, 'not published', subject, NULL, message
    FROM night JOIN run_stage USING (run_number)
    WHERE stage IN ('publish', 'replay') AND outcome <> 'done'
    UNION ALL
    SELECT 6, 'quarantined', concat_ws(' ', kind, source), count(*) || CASE WHEN count(*) = 1 THEN ' row' ELSE ' rows' END, 'kstar ingest quarantine'
    FROM quarantined_row
    JOIN counting_delivery USING (delivery_id)
    JOIN delivery USING (delivery_id)
    GROUP BY kind, source
    UNION ALL
    SELECT 7, 'close of ' || month, kind || ': ' || min(subject) || CASE WHEN count(*) > 1 THEN ' and ' || count(*) - 1 || ' more' ELSE '' END,
           CASE WHEN count(DISTINCT unit) = 1 THEN trim_scale(round(sum(quantity), 2)) || ' ' || min(unit) END, min(note)
    FROM open JOIN statement_note USING (statement_month)
    WHERE blocks_close
    GROUP BY month, kind
    UNION ALL
    SELECT 8, 'not counted in ' || month, kind || ': ' || min(subject) || CASE WHEN count(*) > 1 THEN ' and ' || count(*) - 1 || ' more' ELSE '' END,
           sum(quantity) || CASE sum(quantity) WHEN 1 THEN ' measurement' ELSE ' measurements' END, min(note)
    FROM open JOIN statement_note USING (statement_month)
    WHERE kind LIKE 'measurement %'
    GROUP BY month, kind
    UNION ALL
    SELECT 9, 'unallocated', month || ' ' || reason || CASE block WHEN 'invoice' THEN '' ELSE ' (internal charges)' END, money_text(sum(minor_units)::bigint, minor_unit_digits) || ' ' || statement_currency, NULL
    FROM open JOIN statement_sum USING (statement_month)
    WHERE line_type = 'unallocated'
    GROUP BY month, reason, block, minor_unit_digits, statement_currency
    HAVING sum(minor_units) <> 0
    UNION ALL
    SELECT 10, 'budget', month || ' ' || cost_centre, measure || ' past ' || string_agg(trim_scale(threshold)::text, ', ' ORDER BY threshold) || ' %',
           'kstar budget --period ' || month
    FROM open JOIN budget_alert USING (statement_month)
    GROUP BY month, cost_centre, measure
    UNION ALL
    SELECT 11, 'to be approved', training, coalesce(money_text(cost_minor, minor_unit_digits) || ' ' || statement_currency, 'cost not known'), NULL
    FROM open JOIN planned_training_cost USING (statement_month)
    WHERE approved_by IS NULL AND needs_approval(statement_month, cost_minor)
)
SELECT what AS "what", which AS "which", how_much AS "how_much", note AS "note"
FROM waiting
ORDER BY position, which COLLATE "C";

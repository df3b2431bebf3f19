-- How fresh each source is: its latest delivery, when that was taken, and the end of its records.
-- If sources.csv says when to expect deliveries: how late the next one is, even if none ever came.
-- In each kind the source with the oldest records comes first.
WITH quarantined AS (
    SELECT kind, source, count(*) AS quarantined_rows
    FROM quarantined_row
    JOIN counting_delivery USING (delivery_id)
    JOIN delivery USING (delivery_id)
    GROUP BY kind, source
), source AS (
    SELECT kind, source, max(delivery_id) AS delivery_id, coalesce(min(quarantined.quarantined_rows), 0) AS quarantined_rows
    FROM delivery
    LEFT JOIN quarantined USING (kind, source)
    GROUP BY kind, source
    UNION ALL
    SELECT kind, source, NULL, NULL FROM source_expectation WHERE (kind, source) NOT IN (SELECT kind, source FROM delivery)
)
SELECT kind                                                          AS "kind",
       source                                                        AS "source",
       to_char(covered_to, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')            AS "covers_to",
       CASE WHEN covered_to > clock_timestamp() THEN '0 h'
            WHEN hours_behind < 72 THEN trunc(hours_behind) || ' h'
            ELSE trunc(hours_behind / 24) || ' days' END             AS "behind",
       to_char(taken_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')              AS "taken",
       late_text(is_late, expected_by)                               AS "late",
       row_count                                                     AS "rows",
       source.quarantined_rows                                       AS "quarantined",
       label                                                         AS "latest_delivery"
FROM source
LEFT JOIN delivery USING (delivery_id, kind, source)
LEFT JOIN source_extent USING (kind, source)
LEFT JOIN source_expectation USING (kind, source)
LEFT JOIN LATERAL (SELECT max(settled_at) AS taken_at
                   FROM run_delivery
                   WHERE run_delivery.kind = delivery.kind AND run_delivery.label = delivery.label
                     AND run_delivery.source = delivery.source AND outcome = 'done') AS taken ON true
CROSS JOIN LATERAL (SELECT extract(epoch FROM clock_timestamp() - covered_to) / 3600 AS hours_behind) AS lateness
ORDER BY array_position(ARRAY['billing', 'jobs', 'nodes', 'efficiency'], kind), covered_to, source COLLATE "C";

-- The metrics of the database after run $1, for Prometheus: name, type, help, labels, value. The
-- samples of a metric follow one another. Labels are escaped as Prometheus's text format requires.
-- A metric without samples is not listed.
WITH metric (position, name, type, help) AS (
    VALUES
        (1,  'kstar_stage_duration_seconds', 'gauge', 'How long each stage of the last run took.'),
        (2,  'kstar_stage_rows', 'gauge', 'Rows that each stage of the last run loaded, or lines of bills that it published.'),
        (3,  'kstar_stage_files', 'gauge', 'Files that each stage of the last run read, or wrote anew.'),
        (4,  'kstar_stage_bytes', 'gauge', 'Bytes of those files.'),
        (5,  'kstar_stage_failed', 'gauge', 'Whether the stage was refused or failed: 1 or 0.'),
        (6,  'kstar_source_covered_to_timestamp_seconds', 'gauge', 'Up to when each source has records.'),
        (7,  'kstar_source_expected_by_timestamp_seconds', 'gauge', 'By when the next delivery of each source is expected, as sources.csv has it.'),
        (8,  'kstar_source_late', 'gauge', 'Whether it had not come when the last run ended: 1 or 0.'),
        (9,  'kstar_quarantined_rows', 'gauge', 'Rows of each source that could not be read, of deliveries that count.'),
        (10, 'kstar_deliveries_refused', 'gauge', 'Deliveries that the last run refused.'),
        (11, 'kstar_deliveries_waiting', 'gauge', 'Deliveries that the last run left waiting: incomplete, or held.'),
        (12, 'kstar_months_open', 'gauge', 'Months whose statement is Preliminary.'),
        (13, 'kstar_months_held', 'gauge', 'Open months whose close is kept waiting by a note.'),
        (14, 'kstar_statement_as_of_timestamp_seconds', 'gauge', 'As of when the statement of each open month is.'),
        (15, 'kstar_statement_amount', 'gauge', 'The invoices of each open month, in statement currency.'),
        (16, 'kstar_unallocated_amount', 'gauge', 'What of them is unallocated, by reason.'),
        (17, 'kstar_budget_thresholds_crossed', 'gauge', 'Thresholds of budgets that each open month has crossed.')
), stage AS (
    SELECT jsonb_strip_nulls(jsonb_build_object('stage', stage, 'subject', subject)) AS labels, *
    FROM run_stage
    WHERE run_number = $1::bigint
), open AS (
    SELECT *, to_char(statement_month, 'YYYY-MM') AS month FROM statement WHERE status <> 'Final'
), invoiced AS (
    SELECT month, statement_currency, line_type, reason, minor_units * ('1e-' || minor_unit_digits)::numeric AS amount
    FROM open JOIN statement_sum USING (statement_month)
    WHERE block = 'invoice'
), sample (name, labels, value) AS (
    SELECT 'kstar_stage_duration_seconds', labels, sum(seconds)::numeric FROM stage GROUP BY labels
    UNION ALL
    SELECT 'kstar_stage_rows', labels, sum(rows) FROM stage GROUP BY labels
    UNION ALL
    SELECT 'kstar_stage_files', labels, sum(files) FROM stage GROUP BY labels
    UNION ALL
    SELECT 'kstar_stage_bytes', labels, sum(bytes) FROM stage GROUP BY labels
    UNION ALL
    SELECT 'kstar_stage_failed', labels, max((outcome NOT IN ('done', 'waits'))::integer) FROM stage GROUP BY labels
    UNION ALL
    SELECT 'kstar_source_covered_to_timestamp_seconds', jsonb_build_object('kind', kind, 'source', source), extract(epoch FROM covered_to)
    FROM source_extent
    WHERE kind <> 'nodes'
    UNION ALL
    SELECT 'kstar_source_expected_by_timestamp_seconds', jsonb_build_object('kind', kind, 'source', source), extract(epoch FROM expected_by)
    FROM source_expectation
    UNION ALL
    SELECT 'kstar_source_late', jsonb_build_object('kind', kind, 'source', source), is_late::integer FROM source_expectation
    UNION ALL
    SELECT 'kstar_quarantined_rows', jsonb_build_object('kind', kind, 'source', source), count(reason)
    FROM delivery
    LEFT JOIN (quarantined_row JOIN counting_delivery USING (delivery_id)) USING (delivery_id)
    GROUP BY kind, source
    UNION ALL
    SELECT 'kstar_deliveries_refused', '{}', count(*) FROM run_delivery WHERE run_number = $1::bigint AND outcome = 'refused'
    UNION ALL
    SELECT 'kstar_deliveries_waiting', '{}', count(*) FROM run_delivery WHERE run_number = $1::bigint AND outcome = 'waits'
    UNION ALL
    SELECT 'kstar_months_open', '{}', count(*) FROM open
    UNION ALL
    SELECT 'kstar_months_held', '{}', count(*)
    FROM open
    WHERE EXISTS (SELECT FROM statement_note WHERE statement_note.statement_month = open.statement_month AND blocks_close)
    UNION ALL
    SELECT 'kstar_statement_as_of_timestamp_seconds', jsonb_build_object('month', month), extract(epoch FROM as_of) FROM open
    UNION ALL
    SELECT 'kstar_statement_amount', jsonb_build_object('month', month, 'currency', statement_currency), sum(amount)
    FROM invoiced
    GROUP BY month, statement_currency
    UNION ALL
    SELECT 'kstar_unallocated_amount', jsonb_build_object('month', month, 'currency', statement_currency, 'reason', reason), sum(amount)
    FROM invoiced
    WHERE line_type = 'unallocated'
    GROUP BY month, statement_currency, reason
    UNION ALL
    SELECT 'kstar_budget_thresholds_crossed', jsonb_build_object('month', month), count(cost_centre)
    FROM open LEFT JOIN budget_alert USING (statement_month)
    GROUP BY month
)
SELECT name, type, help, coalesce('{' || words || '}', ''), trim_scale(value)
FROM metric
JOIN sample USING (name)
CROSS JOIN LATERAL (SELECT string_agg(key || '="' || replace(replace(replace(label.value, '\', '\\'), '"', '\"'), E'\n', '\n') || '"', ','
                                      ORDER BY key COLLATE "C") AS words
                    FROM jsonb_each_text(labels) AS label) AS escaped
WHERE value IS NOT NULL
ORDER BY position, words COLLATE "C";

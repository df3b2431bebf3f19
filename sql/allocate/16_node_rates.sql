-- Time on nodes while no bill names them, and the part of it that has an internal rate
-- (docs/amounts.md, Nodes without a bill).

-- Hours of the month may be on the bill of the month before or after, because months of a source
-- may turn in another time zone. Only those chunks of other months are read that overlap the month.
-- A replay uses the hours that the month was published with.
CREATE TEMP TABLE neighbour_chunk ON COMMIT DROP AS
SELECT DISTINCT chunk.chunk_id, chunk.billing_period
FROM month
JOIN load ON load.statement_month <> month.statement_month AND load.covered_from < month_end AND load.covered_to > month_start
JOIN current_load USING (load_id)
JOIN load_chunk USING (load_id)
JOIN chunk ON chunk.chunk_id = load_chunk.chunk_id AND chunk.billing_period = load_chunk.billing_period
          AND chunk.covered_from < month_end AND chunk.covered_to > month_start
WHERE replayed_month IS NULL;

ANALYZE neighbour_chunk;

DELETE FROM neighbour_bill USING month WHERE neighbour_bill.statement_month = month.statement_month AND replayed_month IS NULL;
INSERT INTO neighbour_bill (statement_month, resource_id, billed_from, billed_to)
WITH line AS (
    SELECT DISTINCT resource_key, charge_kind_key, sku_key, charge_period_start, charge_period_end
    FROM neighbour_chunk
    JOIN billing_line USING (chunk_id, billing_period)
    WHERE billing_line.billing_period BETWEEN (SELECT min(billing_period) FROM neighbour_chunk) AND (SELECT max(billing_period) FROM neighbour_chunk)
      AND charge_period_start < (SELECT month_end FROM month) AND charge_period_end > (SELECT month_start FROM month)
), billed AS (
    SELECT statement_month, lower(resource_id) AS resource_id,
           unnest(range_agg(tstzrange(greatest(charge_period_start, month_start), least(charge_period_end, month_end)))) AS span
    FROM line
    JOIN resource USING (resource_key)
    JOIN charge_kind USING (charge_kind_key)
    JOIN sku USING (sku_key)
    CROSS JOIN month
    WHERE resource_id IS NOT NULL AND charge_category = 'Usage' AND charge_class IS DISTINCT FROM 'Correction'
      AND service_category IN ('Compute', 'AI and Machine Learning') AND (is_time_unit(consumed_unit) OR is_time_unit(pricing_unit))
    GROUP BY statement_month, lower(resource_id)
)
SELECT statement_month, resource_id, lower(span), upper(span)
FROM billed;

CREATE TEMP TABLE unbilled_hold ON COMMIT DROP AS
WITH named AS (
    SELECT cluster, node, tstzrange(billed_from, billed_to) AS span
    FROM billed_span
    UNION ALL
    SELECT cluster, node, tstzrange(billed_from, billed_to) * tstzrange(valid_from, valid_to)
    FROM neighbour_bill JOIN month USING (statement_month)
    CROSS JOIN LATERAL (SELECT neighbour_bill.resource_id UNION SELECT regexp_replace(neighbour_bill.resource_id, '^.*/', ''))
               AS name (billed_id)
    JOIN node_inventory ON lower(node_inventory.resource_id) = billed_id
), billed_node AS MATERIALIZED (
    SELECT cluster, node, range_agg(span) AS billed
    FROM named
    GROUP BY cluster, node
)
SELECT row_number() OVER () AS hold_id, attempt_id, cluster, node, node_type, share, held
FROM (SELECT attempt_id, node_time.cluster, node, coalesce(node_type, '') AS node_type, share,
             tstzmultirange(tstzrange(held_from, held_to)) - coalesce(billed, '{}') AS held
      FROM node_time
      LEFT JOIN billed_node USING (cluster, node)
      -- Most time is billed and skipped here, because subtracting ranges is slow. Where no bill
      -- names the node, `billed` is null.
      WHERE (billed @> tstzrange(held_from, held_to)) IS NOT TRUE) AS left_over;

ANALYZE unbilled_hold;

-- Times in which the shares of a node add up to more than 1. All shares are scaled down then. Only
-- unbilled time is asked for, or all time where a node's power is stated (13_energy.sql).
CREATE TEMP TABLE overloaded_node ON COMMIT DROP AS
WITH asked AS (
    SELECT cluster, node, range_agg(held) AS asked_time
    FROM (SELECT cluster, node, held FROM unbilled_hold
          UNION ALL
          SELECT DISTINCT cluster, node, '{(,)}'::tstzmultirange -- always
          FROM node_time
          WHERE EXISTS (SELECT FROM node_power CROSS JOIN month WHERE valid_from <= last_day AND valid_to > statement_month)) AS held_on
    GROUP BY cluster, node
)
SELECT cluster, node, span_from, span_to, 1 - round(1 / held_share, 12) AS too_much
FROM (SELECT cluster, node, at AS span_from, lead(at) OVER in_time AS span_to, sum(change) OVER in_time AS held_share
      FROM (SELECT cluster, node, at, sum(change) AS change
            FROM node_time
            JOIN asked USING (cluster, node)
            CROSS JOIN LATERAL (VALUES (held_from, share), (held_to, -share)) AS event (at, change)
            WHERE tstzrange(held_from, held_to) && asked_time
            GROUP BY cluster, node, at) AS event
      WINDOW in_time AS (PARTITION BY cluster, node ORDER BY at)) AS span
WHERE held_share > 1;

CREATE INDEX ON overloaded_node (cluster, node, span_from);
ANALYZE overloaded_node;

-- Unbilled time, with the attempt's scaled share of the node, and the part of its share that
-- scaling removed.
CREATE TEMP TABLE unbilled_time ON COMMIT DROP AS
WITH overloaded AS (
    SELECT hold_id, too_much, range_agg(tstzrange(span_from, span_to)) AS spans
    FROM unbilled_hold
    -- spans of a node do not overlap, so the last one that begins before the hold is the first that
    -- can overlap it
    JOIN overloaded_node USING (cluster, node)
    WHERE span_from >= coalesce((SELECT max(span_from)
                                 FROM overloaded_node AS before
                                 WHERE before.cluster = unbilled_hold.cluster AND before.node = unbilled_hold.node AND span_from <= lower(held)), '-infinity')
      AND span_from < upper(held) AND lower(held) < span_to
    GROUP BY hold_id, too_much
), scaled AS (
    SELECT hold_id, too_much, spans FROM overloaded
    UNION ALL
    SELECT hold_id, 0, held - coalesce(spans, '{}')
    FROM unbilled_hold
    LEFT JOIN (SELECT hold_id, range_agg(spans) AS spans FROM overloaded GROUP BY hold_id) AS all_of_hold USING (hold_id)
)
SELECT attempt_id, cluster, node, node_type, share * (1 - too_much) AS share, share * too_much AS share_too_much, held * spans AS held
FROM scaled
JOIN unbilled_hold USING (hold_id)
WHERE held && spans;

ANALYZE unbilled_time;

CREATE TEMP TABLE node_rate_of_month ON COMMIT DROP AS
SELECT row_number() OVER (ORDER BY cluster COLLATE "C", node_type COLLATE "C", valid_from) AS rate_no, node_rate.*,
       tstzmultirange(tstzrange(valid_from::timestamptz, valid_to::timestamptz)) AS valid
FROM node_rate CROSS JOIN month
WHERE valid_from <= last_day AND valid_to > statement_month;

-- Node-seconds of each rate. A rate for the node's type takes precedence over one for the whole
-- cluster.
CREATE TEMP TABLE rated_hold ON COMMIT DROP AS
WITH of_type AS (
    SELECT cluster, node_type, range_agg(valid) AS valid
    FROM node_rate_of_month
    WHERE node_type <> ''
    GROUP BY cluster, node_type
), rated AS (
    SELECT rate_no, attempt_id, unbilled_time.cluster, node, share, share_too_much,
           held * rate.valid - CASE rate.node_type WHEN '' THEN coalesce(of_type.valid, '{}') ELSE '{}' END AS spans
    FROM unbilled_time
    JOIN node_rate_of_month AS rate ON rate.cluster = unbilled_time.cluster AND rate.node_type IN ('', unbilled_time.node_type)
    LEFT JOIN of_type ON of_type.cluster = unbilled_time.cluster AND of_type.node_type = unbilled_time.node_type
)
SELECT rate_no, attempt_id, cluster, node, seconds_within(spans) AS seconds, share, share_too_much
FROM rated
WHERE NOT isempty(spans);

-- Refunded time (09_refunds.sql) is on no invoice either. The owner of the nodes bears it and gets
-- no credit for it.
CREATE TEMP TABLE rated_time ON COMMIT DROP AS
SELECT rate_no, attempt_id, rated_seconds - refunded AS node_seconds, refunded AS refunded_node_seconds
FROM (SELECT rate_no, attempt_id, sum(seconds * share) AS rated_seconds FROM rated_hold GROUP BY rate_no, attempt_id) AS rated
LEFT JOIN refund USING (attempt_id)
CROSS JOIN LATERAL (SELECT CASE WHEN refund.attempt_id IS NULL THEN 0
                                WHEN refunded_seconds = run_seconds THEN rated_seconds
                                ELSE rated_seconds - round(rated_seconds * (run_seconds - refunded_seconds) / run_seconds, 6) END)
           AS by_rule (refunded);

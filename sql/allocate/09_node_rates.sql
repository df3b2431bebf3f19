-- Time on nodes that the bill of this statement does not name, and what of it an internal rate prices (design 5;
-- docs/allocation.md, section 9). What is left is unpriced.
CREATE TEMP TABLE billed_node ON COMMIT DROP AS
SELECT cluster, node, range_agg(tstzrange(present_from, present_to)) AS billed
FROM slot_node
WHERE is_named
  AND slot_id IN (SELECT slot_id FROM ruled_line
                  WHERE rule = 2 AND charge_part = 'hardware' AND charge_class IS DISTINCT FROM 'Correction')
GROUP BY cluster, node;

CREATE TEMP TABLE unbilled_time ON COMMIT DROP AS
SELECT attempt_id, cluster, node, node_type, share, held
FROM (SELECT attempt_id, node_time.cluster, node, coalesce(node_type, '') AS node_type, share,
             tstzmultirange(tstzrange(held_from, held_to)) - coalesce(billed, '{}') AS held
      FROM node_time
      LEFT JOIN billed_node USING (cluster, node)) AS left_over
WHERE NOT isempty(held);

CREATE TEMP TABLE node_rate_of_month ON COMMIT DROP AS
SELECT row_number() OVER (ORDER BY cluster COLLATE "C", node_type COLLATE "C", valid_from) AS rate_no, node_rate.*,
       tstzmultirange(tstzrange(valid_from::timestamptz, valid_to::timestamptz)) AS valid
FROM node_rate CROSS JOIN month
WHERE valid_from <= last_day AND valid_to > statement_month;

-- Share-weighted node-seconds by rate: a row that names the node's type speaks before one for all of the cluster.
CREATE TEMP TABLE rated_time ON COMMIT DROP AS
WITH of_type AS (
    SELECT cluster, node_type, range_agg(valid) AS valid
    FROM node_rate_of_month
    WHERE node_type <> ''
    GROUP BY cluster, node_type
), rated AS (
    SELECT rate_no, attempt_id, share,
           held * rate.valid - CASE rate.node_type WHEN '' THEN coalesce(of_type.valid, '{}') ELSE '{}' END AS spans
    FROM unbilled_time
    JOIN node_rate_of_month AS rate ON rate.cluster = unbilled_time.cluster AND rate.node_type IN ('', unbilled_time.node_type)
    LEFT JOIN of_type ON of_type.cluster = unbilled_time.cluster AND of_type.node_type = unbilled_time.node_type
)
SELECT rate_no, attempt_id, sum(seconds_within(spans) * share) AS node_seconds
FROM rated
WHERE NOT isempty(spans)
GROUP BY rate_no, attempt_id;

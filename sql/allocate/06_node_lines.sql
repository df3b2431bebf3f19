-- Rule 2: what was billed, in the weights of the slot. Where held time exceeds it, held time is the whole. A correction's
-- quantity is a difference: it bills the time of the line that it corrects.
CREATE TEMP TABLE timed_line ON COMMIT DROP AS
SELECT ruled_line.*, line_class.source, charge_category, sku_id,
       seconds_between(charge_period_start, charge_period_end) AS period_seconds,
       CASE WHEN ruled_line.charge_class IS DISTINCT FROM 'Correction'
            THEN time_billed(ruled_line.consumed_quantity, ruled_line.consumed_unit_seconds, ruled_line.pricing_quantity,
                             ruled_line.pricing_unit_seconds, seconds_between(charge_period_start, charge_period_end)) END
           AS own_seconds
FROM ruled_line
JOIN slot_total USING (slot_id)
JOIN line_class USING (class_id)
WHERE rule = 2;

ANALYZE timed_line;

-- An hour may come in several lines of one SKU, each for a part of it (the edge of a savings plan): together they are the time
-- that the node was billed. A discount repeats the time of its line, and lines that come to more than the period do, too: together
-- these are as long as the longest of them. Most slots have one line, and need no sum.
CREATE TEMP TABLE time_in_lines ON COMMIT DROP AS
SELECT slot_id, source, charge_category, sku_id, sum(own_seconds) AS summed_seconds,
       CASE WHEN sum(own_seconds) <= min(period_seconds) THEN sum(own_seconds) ELSE max(own_seconds) END AS seconds
FROM timed_line
WHERE sku_id IS NOT NULL AND own_seconds > 0 AND billed_cost >= 0 AND effective_cost >= 0
  AND slot_id IN (SELECT slot_id FROM timed_line GROUP BY slot_id HAVING count(*) > 1)
GROUP BY slot_id, source, charge_category, sku_id
HAVING count(*) > 1;

ANALYZE time_in_lines;

-- A line without a time of its own, a credit mostly, is of the time that its node was billed, as the source's other lines say it: the
-- inventory may know the node for longer, and what it was not billed for is nobody's to be credited.
CREATE TEMP TABLE slot_time ON COMMIT DROP AS
SELECT slot_id, source, max(seconds) AS slot_seconds
FROM (SELECT slot_id, source,
             CASE WHEN sku_id IS NOT NULL AND sum(own_seconds) <= min(period_seconds) THEN sum(own_seconds) ELSE max(own_seconds) END AS seconds
      FROM timed_line
      WHERE own_seconds > 0 AND billed_cost >= 0 AND effective_cost >= 0
        AND slot_id IN (SELECT slot_id FROM timed_line WHERE own_seconds IS NULL AND charge_class IS DISTINCT FROM 'Correction')
      GROUP BY slot_id, source, charge_category, sku_id) AS of_sku
GROUP BY slot_id, source;

ANALYZE slot_time;

-- Where they say nothing of that charge period, a month's credit on a node billed by the hour, it is of the time that they say of shorter
-- ones within it, those left out that lie in a longer of them, which says their time again. A correction of such a line, or of none, is too.
-- Most months have no such line, and look for nothing.
CREATE TEMP TABLE longer_slot ON COMMIT DROP AS
SELECT DISTINCT slot_id, source, slot_total.resource_key, charge_period_start, charge_period_end, period_seconds,
       charge_class IS NOT DISTINCT FROM 'Correction' AS is_correction
FROM timed_line
JOIN slot_total USING (slot_id)
LEFT JOIN slot_time USING (slot_id, source)
LEFT JOIN corrected_line USING (line_id)
WHERE own_seconds IS NULL
  AND CASE WHEN charge_class IS DISTINCT FROM 'Correction' THEN slot_seconds ELSE corrected_seconds END IS NULL;

ANALYZE longer_slot;

CREATE TEMP TABLE shorter_slot ON COMMIT DROP AS
SELECT is_correction, source, resource_key, charge_period_start, charge_period_end, max(seconds) AS seconds
FROM (SELECT is_correction, source, resource_key, charge_period_start, charge_period_end,
             CASE WHEN sku_id IS NOT NULL AND sum(seconds) <= min(period_seconds) THEN sum(seconds) ELSE max(seconds) END AS seconds
      FROM (SELECT false AS is_correction, source, slot_total.resource_key, charge_period_start, charge_period_end, period_seconds,
                   charge_category, sku_id, own_seconds AS seconds
            FROM timed_line
            JOIN slot_total USING (slot_id)
            WHERE billed_cost >= 0 AND effective_cost >= 0
            UNION ALL
            SELECT true, source, resource_key, charge_period_start, charge_period_end, period_seconds, charge_category, sku_id, seconds
            FROM corrected_time
            WHERE is_part) AS billed
      WHERE seconds > 0 AND (is_correction, source, resource_key) IN (SELECT is_correction, source, resource_key FROM longer_slot)
      GROUP BY is_correction, source, resource_key, charge_period_start, charge_period_end, charge_category, sku_id) AS of_sku
GROUP BY is_correction, source, resource_key, charge_period_start, charge_period_end;

CREATE INDEX ON shorter_slot (resource_key, charge_period_start);
ANALYZE shorter_slot;

CREATE TEMP TABLE time_within ON COMMIT DROP AS
SELECT slot_id, source, is_correction, least(sum(seconds), min(period_seconds)) AS shorter_seconds
FROM (SELECT slot_id, longer_slot.source, longer_slot.is_correction, period_seconds, seconds, shorter.charge_period_end,
             max(shorter.charge_period_end) OVER (PARTITION BY slot_id, longer_slot.source, longer_slot.is_correction
                                                  ORDER BY shorter.charge_period_start, shorter.charge_period_end DESC
                                                  ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached
      FROM longer_slot
      CROSS JOIN LATERAL (SELECT *
                          FROM shorter_slot
                          WHERE resource_key = longer_slot.resource_key AND source = longer_slot.source
                            AND is_correction = longer_slot.is_correction
                            AND charge_period_start >= longer_slot.charge_period_start
                            AND charge_period_start < longer_slot.charge_period_end
                            AND charge_period_end <= longer_slot.charge_period_end
                            AND (charge_period_start, charge_period_end) <> (longer_slot.charge_period_start, longer_slot.charge_period_end))
                 AS shorter) AS inside
WHERE reached IS NULL OR reached < charge_period_end
GROUP BY slot_id, source, is_correction;

ANALYZE time_within;

CREATE TEMP TABLE node_line ON COMMIT DROP AS
WITH denominated AS (
    SELECT timed_line.*, slot_total.grain, present_seconds, awaiting_seconds, idle_pool, node, held_weight,
           coalesce(CASE WHEN own_seconds IS NOT NULL AND summed_seconds = seconds THEN greatest(own_seconds, seconds) END,
                    own_seconds, CASE WHEN charge_class IS DISTINCT FROM 'Correction' THEN slot_seconds ELSE corrected_seconds END,
                    shorter_seconds, present_seconds) AS billed_seconds, shorter_seconds,
           coalesce(seconds / summed_seconds, 1) AS own_share -- of the line's time: of times that repeat, all together count once
    FROM timed_line
    JOIN slot_total USING (slot_id)
    LEFT JOIN corrected_line USING (line_id)
    LEFT JOIN time_in_lines USING (slot_id, source, charge_category, sku_id)
    LEFT JOIN slot_time USING (slot_id, source)
    LEFT JOIN time_within ON time_within.slot_id = timed_line.slot_id AND time_within.source = timed_line.source
                         AND own_seconds IS NULL AND is_correction = (charge_class IS NOT DISTINCT FROM 'Correction')
                         AND corrected_seconds IS NULL
)
SELECT denominated.*,
       billed_seconds * grain * awaiting_seconds AS awaiting_weight,
       CASE WHEN present_seconds = 0 THEN 1 -- a charge period without length (a credit, say) is nobody's time
            ELSE greatest(billed_seconds * grain * present_seconds - held_weight - billed_seconds * grain * awaiting_seconds, 0)
       END AS idle_weight,
       -- those that say a time of shorter charge periods tell by themselves where it is exceeded; of a month that goes on, all of it seems to be
       CASE WHEN shorter_seconds IS NULL
            THEN greatest(held_weight + billed_seconds * grain * awaiting_seconds - billed_seconds * grain * present_seconds, 0)
            ELSE 0 END AS excess_weight
FROM denominated;

ANALYZE node_line;

CREATE TEMP TABLE node_line_weight ON COMMIT DROP AS
SELECT line_id, row_number() OVER (PARTITION BY line_id ORDER BY position, attempt_id)::integer AS part,
       count(*) OVER (PARTITION BY line_id) AS parts,
       target, attempt_id, reason, weight
FROM (
    SELECT line_id, 1 AS position, 'job' AS target, slot_share.attempt_id, NULL AS reason, weight
    FROM node_line JOIN slot_share USING (slot_id)
    WHERE weight > 0
    UNION ALL
    SELECT line_id, 2, CASE WHEN idle_pool IS NULL THEN 'unallocated' ELSE 'pool' END, NULL,
           CASE WHEN idle_pool IS NULL THEN 'idle node without pool' END, idle_weight
    FROM node_line WHERE idle_weight > 0
    UNION ALL
    SELECT line_id, 3, 'unallocated', NULL, 'awaiting job records', awaiting_weight
    FROM node_line WHERE awaiting_weight > 0
) AS weighed;

ANALYZE node_line_weight;

INSERT INTO split_request (request_id, part, weight, billed_cost, effective_cost)
SELECT line_id, part, weight, billed_cost, effective_cost
FROM node_line_weight JOIN node_line USING (line_id)
WHERE parts > 1;

-- Rule 2 for corrections: the time that the line bills which a correction corrects: of the same source, resource, charge
-- period, category and SkuId, in this statement or in an earlier one, a closed one as it was closed (docs/allocation.md,
-- section 4).
CREATE TEMP TABLE correction ON COMMIT DROP AS
SELECT line_id, source, node_key AS resource_key, lower(resource_id) AS resource_id, charge_category, sku_id,
       charge_period_start, charge_period_end
FROM ruled_line
JOIN classed_line USING (line_id, class_id)
JOIN line_class USING (class_id)
WHERE rule = 2 AND line_class.charge_class = 'Correction';

ANALYZE correction;

CREATE TEMP TABLE earlier_load ON COMMIT DROP AS
SELECT load_id, load.billing_period, load.source
FROM statement_load
JOIN load USING (load_id, statement_month)
JOIN month ON statement_load.statement_month < month.statement_month
WHERE (replayed_month IS NULL OR statement_load.statement_month IN (SELECT statement_month FROM closed_month))
  AND covered_from < (SELECT max(charge_period_end) FROM correction)
  AND covered_to > (SELECT min(charge_period_start) FROM correction);

-- What is billed of the nodes that have corrections, while they do.
CREATE TEMP TABLE corrected_time ON COMMIT DROP AS
WITH corrected_node AS (
    SELECT source, resource_key, resource_id, min(charge_period_start) AS first, max(charge_period_end) AS last
    FROM correction
    GROUP BY source, resource_key, resource_id
), billed AS (
    SELECT source, lower(resource_id) AS resource_id, charge_category, sku_id, charge_period_start, charge_period_end,
           consumed_quantity, consumed_unit_seconds, pricing_quantity, pricing_unit_seconds, billed_cost, effective_cost
    FROM classed_line
    JOIN line_class USING (class_id)
    WHERE charge_class IS DISTINCT FROM 'Correction' AND EXISTS (SELECT line_id FROM correction)
    UNION ALL
    SELECT earlier_load.source, lower(resource_id), charge_category, sku_id, charge_period_start, charge_period_end,
           consumed_quantity, seconds_of_unit(consumed_unit), pricing_quantity, seconds_of_unit(pricing_unit), billed_cost, effective_cost
    FROM earlier_load
    JOIN load_chunk USING (load_id, billing_period)
    JOIN billing_line USING (chunk_id, billing_period)
    JOIN resource USING (resource_key)
    JOIN charge_kind USING (charge_kind_key)
    LEFT JOIN sku USING (sku_key)
    WHERE charge_class IS DISTINCT FROM 'Correction'
      AND billing_line.billing_period = ANY (ARRAY(SELECT billing_period FROM earlier_load))
)
SELECT source, resource_key, charge_category, sku_id, charge_period_start, charge_period_end, period_seconds,
       time_billed(consumed_quantity, consumed_unit_seconds, pricing_quantity, pricing_unit_seconds, period_seconds) AS seconds,
       billed_cost >= 0 AND effective_cost >= 0 AS is_part
FROM corrected_node
JOIN billed USING (source, resource_id)
CROSS JOIN LATERAL (SELECT seconds_between(charge_period_start, charge_period_end)) AS of_line (period_seconds)
WHERE charge_period_start >= first AND charge_period_end <= last;

ANALYZE corrected_time;

CREATE TEMP TABLE corrected_line ON COMMIT DROP AS
WITH told AS ( -- what each SKU of the node and time says: of it the largest, or all that are parts of the period (06_node_lines.sql)
    SELECT line_id, billed.sku_id, billed.charge_category = correction.charge_category
                                   AND billed.sku_id IS NOT DISTINCT FROM correction.sku_id AS is_corrected,
           max(seconds) AS longest, max(seconds) FILTER (WHERE is_part) AS longest_part,
           CASE WHEN billed.sku_id IS NOT NULL AND sum(seconds) FILTER (WHERE is_part) <= min(period_seconds)
                THEN sum(seconds) FILTER (WHERE is_part) END AS all_parts
    FROM correction
    JOIN corrected_time AS billed USING (source, resource_key, charge_period_start, charge_period_end)
    GROUP BY line_id, billed.charge_category, billed.sku_id, is_corrected
)
SELECT line_id, -- where the corrected line says no time, it was of the time that the others say
       coalesce(max(greatest(longest, all_parts)) FILTER (WHERE is_corrected),
                CASE WHEN bool_or(is_corrected) THEN max(coalesce(all_parts, longest_part)) END) AS corrected_seconds
FROM told
GROUP BY line_id;

-- Tables that the merge fills, and tables that it reads besides the classes of lines.
CREATE TEMP TABLE charge_sum (LIKE charge) ON COMMIT DROP;
CREATE TEMP TABLE class_charge_sum (LIKE class_charge) ON COMMIT DROP;
ALTER TABLE charge_sum DROP COLUMN statement_month;
ALTER TABLE class_charge_sum DROP COLUMN statement_month;

CREATE TEMP TABLE billed_span (cluster text NOT NULL, node text NOT NULL, billed_from timestamptz NOT NULL, billed_to timestamptz NOT NULL) ON COMMIT DROP;
CREATE TEMP TABLE node_excess (node text NOT NULL, excess_seconds numeric NOT NULL) ON COMMIT DROP;

CREATE TEMP TABLE earlier_time ON COMMIT DROP AS
WITH corrected AS (
    SELECT lower(resource_id) AS resource_id, source, node_key, min(first_start) AS first, max(last_end) AS last
    FROM line_class
    WHERE charge_class = 'Correction' AND node_key IN (SELECT resource_key FROM node_resource)
    GROUP BY 1, 2, 3
), earlier AS (
    SELECT load_id, load.billing_period, load.source
    FROM statement_load
    JOIN load USING (load_id, statement_month)
    JOIN month ON statement_load.statement_month < month.statement_month
    WHERE (replayed_month IS NULL OR statement_load.statement_month IN (SELECT statement_month FROM closed_month))
      AND covered_from < (SELECT max(last) FROM corrected)
      AND covered_to > (SELECT min(first) FROM corrected)
)
SELECT node_key, earlier.source, sku_id, charge_period_start, charge_period_end,
       time_billed(consumed_quantity, seconds_of_unit(consumed_unit), pricing_quantity, seconds_of_unit(pricing_unit),
                   seconds_between(charge_period_start, charge_period_end)) AS seconds
FROM earlier
JOIN load_chunk USING (load_id, billing_period)
JOIN billing_line USING (chunk_id, billing_period)
JOIN resource USING (resource_key)
JOIN corrected ON corrected.resource_id = lower(resource.resource_id) AND corrected.source = earlier.source
              AND charge_period_start >= first AND charge_period_end <= last
JOIN charge_kind USING (charge_kind_key)
LEFT JOIN sku USING (sku_key)
WHERE charge_category = 'Usage' AND charge_class IS DISTINCT FROM 'Correction' AND billed_cost >= 0 AND effective_cost >= 0
  AND billing_line.billing_period BETWEEN (SELECT min(billing_period) FROM earlier) AND (SELECT max(billing_period) FROM earlier);

-- Classes of lines that were charged to a cost centre as a whole (close/suspense.sql).
CREATE TEMP TABLE centre_class (class_id bigint NOT NULL) ON COMMIT DROP;

-- What discounts saved: the lines at list, contracted, effective and billed cost, of everybody and of each cost centre's own parts.
INSERT INTO statement_price (statement_month, cost_centre, invoice_key, block, service_name, commitment, pricing, line_count, unlisted_count,
                             list_cost, contracted_cost, effective_cost, billed_cost,
                             list_minor, contracted_minor, effective_minor, billed_minor)
WITH split_for_nothing AS ( -- lines with several parts that cost nothing: of a line without cost, who had what of it is not told by its parts
    SELECT load_id, file_id, line_number, row_in_record
    FROM line_part JOIN month USING (statement_month)
    WHERE billed_cost = 0 AND effective_cost = 0
    GROUP BY load_id, file_id, line_number, row_in_record
    HAVING count(*) > 1
), priced_class AS ( -- what is not said counts with the next price; what was used by nobody would have cost nothing without its commitment
    SELECT class_id, CASE WHEN is_unused THEN 0 ELSE 1 END AS uncommitted
    FROM line_class
), counted AS (
    SELECT line_id, class_id, invoice_key, list_cost IS NULL AS is_unlisted,
           coalesce(list_cost, contracted_cost, effective_cost * uncommitted) AS list_cost,
           coalesce(contracted_cost, effective_cost * uncommitted) AS contracted_cost, effective_cost, billed_cost
    FROM classed_line JOIN priced_class USING (class_id)
), of_class AS (
    SELECT '' AS cost_centre, class_id, invoice_key, count(*) AS line_count, count(*) FILTER (WHERE is_unlisted) AS unlisted_count,
           sum(list_cost) AS list_cost, sum(contracted_cost) AS contracted_cost, sum(effective_cost) AS effective_cost,
           sum(billed_cost) AS billed_cost
    FROM counted
    GROUP BY class_id, invoice_key
    UNION ALL -- a part has the share of the list and contracted cost that it has of the cost; where several share a line without cost, none
    SELECT coalesce(line_part.cost_centre, attempt_cost_centre.cost_centre), class_id, classed_line.invoice_key, count(*),
           count(*) FILTER (WHERE list_cost IS NULL),
           sum(coalesce(list_cost, contracted_cost, classed_line.effective_cost * uncommitted) * share),
           sum(coalesce(contracted_cost, classed_line.effective_cost * uncommitted) * share),
           sum(line_part.effective_cost), sum(line_part.billed_cost)
    FROM line_part
    JOIN month USING (statement_month)
    JOIN classed_line USING (load_id, file_id, line_number, row_in_record)
    JOIN priced_class USING (class_id)
    LEFT JOIN attempt_cost_centre ON attempt_cost_centre.attempt_id = line_part.attempt_id
    LEFT JOIN split_for_nothing USING (load_id, file_id, line_number, row_in_record)
    CROSS JOIN LATERAL (SELECT CASE WHEN line_part.effective_cost = classed_line.effective_cost
                                         AND line_part.billed_cost = classed_line.billed_cost
                                         AND split_for_nothing.load_id IS NULL THEN 1
                                    WHEN classed_line.effective_cost <> 0 THEN line_part.effective_cost / classed_line.effective_cost
                                    ELSE line_part.billed_cost / nullif(classed_line.billed_cost, 0) END) AS part (share)
    WHERE target IN ('job', 'cost centre') AND coalesce(line_part.cost_centre, attempt_cost_centre.cost_centre) IS NOT NULL
    GROUP BY 1, class_id, classed_line.invoice_key
), named AS (
    SELECT of_class.*,
           CASE WHEN charge_category = 'Purchase' THEN 'purchase'
                WHEN charge_category <> 'Usage'   THEN 'other'
                WHEN 'Unused' IN (commitment_discount_status, capacity_reservation_status) THEN 'unused commitment'
                ELSE 'usage' END AS block,
           coalesce(service_name, '(none)') AS service_name, coalesce(commitment_discount_id, '') AS commitment,
           CASE WHEN charge_category <> 'Usage' THEN ''
                WHEN commitment_discount_status = 'Used' THEN 'committed'
                WHEN 'Unused' IN (commitment_discount_status, capacity_reservation_status) THEN ''
                WHEN service_category NOT IN ('Compute', 'AI and Machine Learning') OR service_category IS NULL THEN ''
                WHEN pricing_category = 'Dynamic' THEN 'spot'
                ELSE 'on demand' END AS pricing
    FROM of_class JOIN line_class USING (class_id, invoice_key)
    UNION ALL
    SELECT '', NULL, invoice_key, count(*), count(*), sum(effective_cost), sum(effective_cost), sum(effective_cost), sum(billed_cost),
           'other', '(quarantined)', '', ''
    FROM line_part JOIN month USING (statement_month)
    WHERE reason = 'quarantined'
    GROUP BY invoice_key
), summed AS (
    SELECT cost_centre, invoice_key, block, service_name, commitment, pricing, sum(line_count) AS line_count,
           sum(unlisted_count) AS unlisted_count, sum(coalesce(list_cost, 0)) AS list_cost, sum(coalesce(contracted_cost, 0)) AS contracted_cost,
           sum(effective_cost) AS effective_cost, sum(billed_cost) AS billed_cost
    FROM named
    GROUP BY cost_centre, invoice_key, block, service_name, commitment, pricing
), measured AS (
    SELECT summed.*, measure, cost * exchange_rate * 10::numeric ^ minor_unit_digits AS exact
    FROM summed
    JOIN invoice_rate USING (invoice_key)
    CROSS JOIN month
    CROSS JOIN LATERAL (VALUES ('list', list_cost), ('contracted', contracted_cost), ('effective', effective_cost), ('billed', billed_cost))
               AS cost_of (measure, cost)
), fixed AS ( -- by largest remainder, within the invoice
    SELECT measured.*,
           floor(exact) + CASE WHEN row_number() OVER (whole ORDER BY exact - floor(exact) DESC, block COLLATE "C", service_name COLLATE "C",
                                                                      commitment COLLATE "C", pricing COLLATE "C")
                                    <= round(sum(exact) OVER whole) - sum(floor(exact)) OVER whole THEN 1 ELSE 0 END AS minor_units
    FROM measured
    WINDOW whole AS (PARTITION BY cost_centre, invoice_key, measure)
)
SELECT month.statement_month, cost_centre, invoice_key, block, service_name, commitment, pricing, line_count, unlisted_count,
       round(list_cost, 12), round(contracted_cost, 12), effective_cost, billed_cost,
       sum(minor_units) FILTER (WHERE measure = 'list'), sum(minor_units) FILTER (WHERE measure = 'contracted'),
       sum(minor_units) FILTER (WHERE measure = 'effective'), sum(minor_units) FILTER (WHERE measure = 'billed')
FROM fixed CROSS JOIN month
GROUP BY month.statement_month, cost_centre, invoice_key, block, service_name, commitment, pricing, line_count, unlisted_count, list_cost,
         contracted_cost, effective_cost, billed_cost;

-- What nobody held, by node. Several SKUs of one node and time count once, as in job_cost. A node has a number here: its names are long,
-- and there are as many groups as hours of nodes; so they are sorted once, too. In tables of their own, for the planner to know their sizes.
CREATE TEMP TABLE numbered_class ON COMMIT DROP AS
SELECT class_id, charge_class, sku_id, consumed_unit_seconds, pricing_unit_seconds, coalesce(resource_id, '(none)') AS resource_id, resource_name,
       dense_rank() OVER (ORDER BY coalesce(resource_id, '(none)') COLLATE "C", resource_name COLLATE "C") AS node_no
FROM line_class;

ANALYZE numbered_class;

CREATE TEMP TABLE idle_node ON COMMIT DROP AS
WITH idle AS (
    SELECT pool, invoice_key, node_no, charge_period_start, charge_period_end, sku_id,
           greatest(sum(held_seconds) FILTER (WHERE tells_time), max(held_seconds) FILTER (WHERE NOT tells_time)) AS seconds,
           sum(effective_cost) AS effective_cost, bool_or(is_uneven) AS is_uneven
    FROM (SELECT line_part.pool, line_part.invoice_key, node_no, charge_period_start, charge_period_end, sku_id, line_part.effective_cost,
                 CASE WHEN classed_line.billed_cost >= 0 AND classed_line.effective_cost >= 0
                           AND charge_class IS DISTINCT FROM 'Correction' THEN held_seconds END AS held_seconds,
                 time_billed(consumed_quantity, consumed_unit_seconds, pricing_quantity, pricing_unit_seconds,
                             seconds_between(charge_period_start, charge_period_end)) IS NOT NULL AS tells_time,
                 classed_line.resource_key IN (SELECT resource_key FROM uneven_resource) AS is_uneven
          FROM line_part
          JOIN month USING (statement_month)
          JOIN classed_line USING (load_id, file_id, line_number, row_in_record)
          JOIN numbered_class USING (class_id)
          WHERE rule = 2 AND (target = 'pool' AND reason IS NULL OR reason = 'idle node without pool')
          ORDER BY pool, invoice_key, node_no, charge_period_start, charge_period_end, sku_id) AS sorted
    GROUP BY pool, invoice_key, node_no, charge_period_start, charge_period_end, sku_id
), slot AS (
    SELECT pool, invoice_key, node_no, charge_period_start, charge_period_end, coalesce(max(seconds), 0) AS seconds,
           sum(effective_cost) AS effective_cost, bool_or(is_uneven) AS is_uneven
    FROM idle
    GROUP BY pool, invoice_key, node_no, charge_period_start, charge_period_end
)
SELECT pool, invoice_key, node_no, sum(effective_cost) AS effective_cost,
       coalesce(sum(seconds) FILTER (WHERE NOT is_uneven), 0)
       + coalesce(pg_temp.told_once(array_agg(charge_period_start) FILTER (WHERE is_uneven), array_agg(charge_period_end) FILTER (WHERE is_uneven),
                                    array_agg(seconds) FILTER (WHERE is_uneven)), 0) AS seconds
FROM slot
GROUP BY pool, invoice_key, node_no;

ANALYZE idle_node;

INSERT INTO statement_idle (statement_month, pool, resource_id, resource_name, node_hours, minor_units)
WITH node AS (
    SELECT pool, invoice_key, resource_id, resource_name, seconds,
           effective_cost * exchange_rate * 10::numeric ^ minor_unit_digits AS exact
    FROM idle_node
    JOIN (SELECT DISTINCT node_no, resource_id, resource_name FROM numbered_class) AS named USING (node_no)
    JOIN invoice_rate USING (invoice_key)
    CROSS JOIN month
), fixed AS (
    SELECT node.*,
           floor(exact) + CASE WHEN row_number() OVER (whole ORDER BY exact - floor(exact) DESC, resource_id COLLATE "C",
                                                                      resource_name COLLATE "C")
                                    <= round(sum(exact) OVER whole) - sum(floor(exact)) OVER whole THEN 1 ELSE 0 END AS minor_units
    FROM node
    WINDOW whole AS (PARTITION BY pool, invoice_key)
)
SELECT statement_month, pool, resource_id, resource_name, round(sum(seconds) / 3600, 6), sum(minor_units)
FROM fixed CROSS JOIN month
GROUP BY statement_month, pool, resource_id, resource_name
HAVING sum(seconds) > 0 OR sum(minor_units) <> 0;

-- What discounts saved: lines at list, contracted, effective and billed cost, for everybody (cost
-- centre '') and for each cost centre's own parts.
INSERT INTO statement_price (statement_month, cost_centre, invoice_key, block, service_name, commitment, pricing, line_count, unlisted_count,
                             list_cost, contracted_cost, effective_cost, billed_cost,
                             list_minor, contracted_minor, effective_minor, billed_minor)
WITH priced AS (
    SELECT '' AS cost_centre, invoice_key, charge_kind_key, commitment_key, service_name, service_category, false AS is_quarantined,
           line_count, unlisted_count, list_cost, contracted_cost, effective_cost, billed_cost
    FROM line_class
    UNION ALL
    SELECT coalesce(cost_centre, ''), invoice_key, charge_kind_key, commitment_key, service_name, service_category, cost_centre IS NULL,
           line_count, unlisted_count, list_cost, contracted_cost, effective_cost, billed_cost
    FROM class_charge
    JOIN month USING (statement_month)
    WHERE cost_centre IS NOT NULL OR reason = 'quarantined'
), named AS (
    SELECT cost_centre, invoice_key, line_count, unlisted_count, list_cost, contracted_cost, effective_cost, billed_cost,
           CASE WHEN charge_category = 'Purchase' THEN 'purchase'
                WHEN charge_category <> 'Usage' OR is_quarantined THEN 'other'
                WHEN 'Unused' IN (commitment_discount_status, capacity_reservation_status) THEN 'unused commitment'
                ELSE 'usage' END AS block,
           CASE WHEN is_quarantined THEN '(quarantined)' ELSE coalesce(service_name, '(none)') END AS service_name,
           coalesce(commitment_discount_id, '') AS commitment,
           CASE WHEN charge_category <> 'Usage' OR is_quarantined THEN ''
                WHEN commitment_discount_status = 'Used' THEN 'committed'
                WHEN 'Unused' IN (commitment_discount_status, capacity_reservation_status) THEN ''
                WHEN pricing_category = 'Committed' THEN 'committed' -- Google names the commitment on its fee alone
                WHEN service_category NOT IN ('Compute', 'AI and Machine Learning') OR service_category IS NULL THEN ''
                WHEN pricing_category = 'Dynamic' THEN 'spot'
                ELSE 'on demand' END AS pricing
    FROM priced
    LEFT JOIN charge_kind USING (charge_kind_key)
    LEFT JOIN commitment USING (commitment_key)
), summed AS (
    SELECT cost_centre, invoice_key, block, service_name, commitment, pricing, sum(line_count) AS line_count,
           sum(unlisted_count) AS unlisted_count, sum(list_cost) AS list_cost, sum(contracted_cost) AS contracted_cost,
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
), fixed AS ( -- cents go by largest remainder within the invoice
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

-- Idle time by node. If lines write the name of a node in different ways, the first name counts. A
-- node whose lines all lie before the month (corrections, credits) needs no job of the month. No
-- nested loops: PostgreSQL expects one charge, there are many, and it would read all nodes for
-- each.
SET LOCAL enable_nestloop = off;
INSERT INTO statement_idle (statement_month, pool, resource_id, resource_name, node_type, is_held, node_hours, minor_units)
WITH named AS (
    SELECT DISTINCT ON (node_key) node_key AS resource_key, resource_id, resource_name, sku_id,
           max(last_end) OVER (PARTITION BY node_key) > month_start AS is_billed
    FROM line_class
    CROSS JOIN month
    WHERE resource_id IS NOT NULL
    ORDER BY node_key, resource_id COLLATE "C", coalesce(resource_name, '') COLLATE "C"
), held AS ( -- as a node's name goes from machine to machine, by time
    SELECT DISTINCT presence_no
    FROM node_resource
    JOIN node_time USING (cluster, node)
    WHERE held_from < valid_to AND valid_from < held_to
), present AS ( -- the month's last type
    SELECT resource_key,
           (array_agg(node_type ORDER BY valid_from >= month_end, valid_from DESC, node_type COLLATE "C") FILTER (WHERE node_type IS NOT NULL))[1] AS node_type,
           bool_or(held.presence_no IS NOT NULL) AS is_held
    FROM node_resource
    LEFT JOIN held USING (presence_no)
    CROSS JOIN month
    GROUP BY resource_key
), node AS (
    SELECT pool, invoice_key, resource_id, resource_name, coalesce(node_type, sku_id) AS node_type, is_held IS TRUE OR NOT is_billed AS is_held,
           sum(priced_seconds) AS seconds,
           sum(effective_cost) * exchange_rate * 10::numeric ^ minor_unit_digits AS exact
    FROM charge
    JOIN invoice_rate USING (invoice_key)
    JOIN named USING (resource_key)
    LEFT JOIN present USING (resource_key)
    CROSS JOIN month
    WHERE charge.statement_month = (SELECT statement_month FROM month) -- a join by hash would read all months
      AND rule = 2 AND (target = 'pool' AND reason IS NULL OR reason = 'idle node without pool')
    GROUP BY pool, invoice_key, resource_id, resource_name, coalesce(node_type, sku_id), is_held IS TRUE OR NOT is_billed, exchange_rate, minor_unit_digits
), fixed AS (
    SELECT node.*,
           floor(exact) + CASE WHEN row_number() OVER (whole ORDER BY exact - floor(exact) DESC, resource_id COLLATE "C",
                                                                      resource_name COLLATE "C")
                                    <= round(sum(exact) OVER whole) - sum(floor(exact)) OVER whole THEN 1 ELSE 0 END AS minor_units
    FROM node
    WINDOW whole AS (PARTITION BY pool, invoice_key)
)
SELECT statement_month, pool, resource_id, resource_name, node_type, is_held, round(sum(seconds) / 3600, 6), sum(minor_units)
FROM fixed CROSS JOIN month
GROUP BY statement_month, pool, resource_id, resource_name, node_type, is_held
HAVING sum(seconds) > 0 OR sum(minor_units) <> 0;
SET LOCAL enable_nestloop TO DEFAULT;

-- Fills the tables of page/tables.sql for the pages of all cost centres at once.
INSERT INTO report_month_cost
WITH month AS MATERIALIZED (
    SELECT earlier.statement_month
    FROM statement AS earlier
    JOIN statement AS this ON this.statement_month = current_setting('kstar.statement_month')::date
                          AND earlier.statement_month < this.statement_month AND earlier.statement_currency = this.statement_currency
    ORDER BY earlier.statement_month DESC
    LIMIT 11
)
SELECT current_setting('kstar.statement_month')::date, cost_centre, component_no, sum(minor_units)
FROM report_line
WHERE section IN (1, 6) AND component_no IS NOT NULL
GROUP BY cost_centre, component_no
UNION ALL
SELECT statement_month, cost_centre, component.position, minor_units
FROM (SELECT statement_month, cost_centre, component, sum(minor_units) AS minor_units
      FROM statement_sum
      WHERE statement_month = ANY (ARRAY(SELECT statement_month FROM month)) AND line_type = 'charge' AND (block = 'invoice' OR is_of_attempts)
      GROUP BY statement_month, cost_centre, component) AS earlier
JOIN component USING (component);

-- Jobs may lie on several servers that do not have the temporary tables, so the held nodes are
-- fetched first.
INSERT INTO report_part
WITH month AS (
    SELECT statement_month::timestamptz AS month_start, (statement_month + interval '1 month')::timestamptz AS month_end, as_of
    FROM statement
    WHERE statement_month = current_setting('kstar.statement_month')::date
), dearest AS MATERIALIZED (
    SELECT attempt_id, place_in_centre AS place, result.cost_centre, true_cost_minor, result.node_hours
    FROM report_place
    JOIN job_result AS result USING (attempt_id)
    WHERE result.statement_month = (SELECT current_setting('kstar.statement_month')::date) AND place_in_centre <= 200 AND result.cost_centre IS NOT NULL
), held AS MATERIALIZED (
    SELECT attempt_id, cluster, node, start_time, end_time, coalesce(nullif(accelerators, 0), cpus, 1) AS size
    FROM job_node
    -- an array is looked up in the index; a join would read the nodes of all years
    WHERE attempt_id = ANY (ARRAY(SELECT attempt_id FROM dearest))
), managed AS MATERIALIZED ( -- a managed job holds its instances, which no record names
    SELECT attempt_id, cluster, NULL AS node, start_time, end_time, 1 AS size
    FROM job
    WHERE attempt_id = ANY (ARRAY(SELECT attempt_id FROM dearest)) AND resource_id IS NOT NULL AND start_time IS NOT NULL
      AND attempt_id <> ALL (ARRAY(SELECT DISTINCT attempt_id FROM held))
), of_day AS (
    SELECT attempt_id, day::date AS day, cluster, node,
           seconds_between(greatest(start_time, day), least(coalesce(end_time, as_of), day + interval '1 day', month_end)) * size AS weight
    FROM (SELECT * FROM held UNION ALL SELECT * FROM managed) AS held
    CROSS JOIN month
    CROSS JOIN LATERAL generate_series(date_trunc('day', greatest(start_time, month_start)),
                                       least(coalesce(end_time, as_of), month_end) - interval '1 microsecond', interval '1 day') AS day
), node_day AS ( -- many jobs may hold a node on a day: its type is looked up once
    SELECT cluster, node, day, node_type
    FROM (SELECT DISTINCT cluster, node, day FROM of_day) AS node_day
    JOIN LATERAL (SELECT node_type FROM node_inventory AS inventory
                  WHERE inventory.cluster = node_day.cluster AND inventory.node = node_day.node AND valid_from < node_day.day + 1 AND valid_to > node_day.day
                  ORDER BY valid_from DESC LIMIT 1) AS inventory ON true
), of_type AS (
    SELECT attempt_id, day, CASE WHEN node IS NULL THEN 'managed service' ELSE node_type END AS node_type, sum(weight) AS weight
    FROM of_day
    LEFT JOIN node_day USING (cluster, node, day)
    GROUP BY 1, 2, 3
), run AS ( -- cents from running totals: the rows of a job sum to its cost
    SELECT attempt_id, day, node_type, weight, sum(weight) OVER in_order AS up_to, sum(weight) OVER (PARTITION BY attempt_id) AS whole
    FROM of_type
    WHERE weight > 0
    WINDOW in_order AS (PARTITION BY attempt_id ORDER BY day, node_type COLLATE "C")
)
SELECT cost_centre, place, 'job', attempt_id, NULL, NULL, NULL, false, day, node_type, round(node_hours::numeric * weight / whole, 2),
       coalesce(round(true_cost_minor * up_to / whole) - round(true_cost_minor * (up_to - weight) / whole), true_cost_minor)
FROM dearest
LEFT JOIN run USING (attempt_id);

INSERT INTO report_part
SELECT cost_centre, 1000, 'other jobs', NULL, NULL, NULL, count(*)::text, false, NULL, NULL, round(sum(node_hours::numeric), 2), sum(true_cost_minor)
FROM job_result
JOIN (SELECT attempt_id FROM report_place WHERE place_in_centre > 200) AS other USING (attempt_id)
WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date) AND cost_centre IS NOT NULL
GROUP BY cost_centre;

-- A cost centre's part of a pool is divided like the whole pool among the pool's SKUs, discounts
-- and corrections included. A direct cost has its own SKUs. If most of the cost is taken back, the
-- rows of the SKUs would be many times the cost, so the cost is one row.
INSERT INTO report_part
WITH cost AS (
    SELECT cost_centre, position AS component_no, title AS component, coalesce(pool, row_key, '') AS subject, pool IS NOT NULL AS is_pool, pool,
           CASE WHEN component = 'direct_cost' THEN row_key END AS service, sum(minor_units)::bigint AS minor_units
    FROM statement_sum
    JOIN component USING (component)
    WHERE statement_month = current_setting('kstar.statement_month')::date AND line_type = 'charge' AND block = 'invoice' AND NOT is_of_attempts
    GROUP BY cost_centre, position, title, coalesce(pool, row_key, ''), pool, CASE WHEN component = 'direct_cost' THEN row_key END
), bought AS (
    SELECT pool, CASE WHEN target = 'cost centre' THEN cost_centre END AS cost_centre, CASE WHEN target = 'cost centre' THEN service_name END AS service,
           coalesce(sku_id, service_name) AS sku, sum(class_charge.effective_cost * exchange_rate) AS weight
    FROM class_charge
    JOIN statement_invoice USING (statement_month, invoice_key)
    WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date)
      AND (target = 'pool' OR target = 'cost centre' AND charge_part NOT IN ('credits', 'charge_adjustments'))
    GROUP BY 1, 2, 3, 4
    HAVING sum(class_charge.effective_cost * exchange_rate) <> 0
), weighed AS (
    SELECT bought.*, sum(weight) OVER (of_all ORDER BY sku COLLATE "C") AS up_to, sum(weight) OVER of_all AS whole, sum(abs(weight)) OVER of_all AS gross
    FROM bought
    WINDOW of_all AS (PARTITION BY pool, cost_centre, service)
)
SELECT cost.cost_centre, 2000 + component_no, 'other cost', NULL, component_no, component, subject, is_pool, NULL, sku, NULL,
       coalesce(round(minor_units * up_to / whole) - round(minor_units * (up_to - weight) / whole), minor_units)
FROM cost
LEFT JOIN weighed ON 2 * abs(whole) > gross AND (cost.pool = weighed.pool AND component_no <> 12 AND weighed.cost_centre IS NULL
                                                 OR weighed.cost_centre = cost.cost_centre AND weighed.service = cost.service);

ANALYZE report_part;

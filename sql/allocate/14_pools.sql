-- Pools: cost that belongs to no single job, split invoice by invoice (docs/allocation.md, Pools).

CREATE TEMP TABLE pool_of_month ON COMMIT DROP AS
SELECT pool.*
FROM pool CROSS JOIN month
WHERE valid_from <= last_day AND last_day < valid_to;

ANALYZE pool_of_month;

-- The cost of each pool on each invoice. Cost of a closed month is summed separately.
CREATE TEMP TABLE pool_amount ON COMMIT DROP AS
SELECT invoice_key, pool, closed_month, sum(billed_cost) AS billed_cost, sum(effective_cost) AS effective_cost
FROM class_charge JOIN month USING (statement_month)
WHERE target = 'pool'
GROUP BY invoice_key, pool, closed_month;

-- Who shares a pool, with which weight. Cost of a closed month is split as in that month's
-- statement, if the pool was split there.
CREATE TEMP TABLE pool_weight_of_month ON COMMIT DROP AS
WITH asked AS (
    SELECT DISTINCT pool, closed_month FROM pool_amount
), closed AS MATERIALIZED ( -- months are listed, so the parts of others are not read
    SELECT DISTINCT statement_month AS closed_month, pool, component, attempt_id, cost_centre, reason, weight, part
    FROM kstar.shared_part
    WHERE shared_kind = 'pool' AND closed_month IS NULL AND statement_month = ANY (ARRAY(SELECT closed_month FROM asked))
), taker AS (
    SELECT pool, NULL::bigint AS attempt_id, pool_weight.cost_centre, CASE split WHEN 'fixed' THEN weight ELSE 1 END AS weight
    FROM pool_of_month
    JOIN pool_weight USING (pool)
    CROSS JOIN month
    WHERE split IN ('fixed', 'even') AND pool_weight.valid_from <= last_day AND last_day < pool_weight.valid_to
    UNION ALL
    SELECT pool, NULL, cost_centre.cost_centre, 1
    FROM pool_of_month
    CROSS JOIN cost_centre
    CROSS JOIN month
    WHERE split = 'even' AND cost_centre.valid_from <= last_day AND last_day < cost_centre.valid_to
      AND NOT EXISTS (SELECT FROM pool_weight
                      WHERE pool_weight.pool = pool_of_month.pool AND pool_weight.valid_from <= last_day AND last_day < pool_weight.valid_to)
    UNION ALL -- fixed overhead is charged to attempts, other pools to their cost centres
    SELECT pool, attempt_id, NULL, CASE basis WHEN 'node_hours' THEN node_seconds ELSE wall_seconds END
    FROM pool_of_month
    CROSS JOIN attempt_month
    WHERE basis IN ('node_hours', 'wall_hours') AND component = 'fixed_overhead'
    UNION ALL
    SELECT pool, NULL, attempt_month.cost_centre, sum(CASE basis WHEN 'node_hours' THEN node_seconds ELSE wall_seconds END)
    FROM pool_of_month
    CROSS JOIN attempt_month
    WHERE basis IN ('node_hours', 'wall_hours') AND component <> 'fixed_overhead'
    GROUP BY pool, attempt_month.cost_centre
    UNION ALL
    SELECT pool, NULL, cost_centre, direct_cost
    FROM pool_of_month
    CROSS JOIN (SELECT cost_centre, sum(effective_cost * exchange_rate) AS direct_cost
                FROM class_charge JOIN month USING (statement_month)
                JOIN invoice_rate USING (invoice_key)
                WHERE target IN ('job', 'cost centre')
                GROUP BY cost_centre) AS spent
    WHERE basis = 'direct_cost'
), today AS (
    SELECT pool, component, attempt_id, cost_centre,
           CASE WHEN attempt_id IS NULL AND cost_centre IS NULL THEN 'job without cost centre' END AS reason, weight
    FROM taker
    JOIN pool_of_month USING (pool)
    WHERE weight > 0
    -- a pool that nobody shares is paid by its owner; a pool without a row in pools.csv on the
    -- month's last day has no owner
    UNION ALL
    SELECT pool, component, NULL, owner, CASE WHEN owner IS NULL THEN 'pool not valid in the month' END, 1
    FROM (SELECT DISTINCT pool FROM asked) AS wanted
    LEFT JOIN pool_of_month USING (pool)
    WHERE pool NOT IN (SELECT pool FROM taker WHERE weight > 0)
)
SELECT closed_month, pool, component, attempt_id, cost_centre, reason, weight,
       row_number() OVER (PARTITION BY pool, closed_month ORDER BY attempt_id NULLS LAST, cost_centre COLLATE "C" NULLS LAST)::integer AS part
FROM asked
JOIN today USING (pool)
WHERE NOT EXISTS (SELECT FROM closed WHERE closed.pool = asked.pool AND closed.closed_month = asked.closed_month)
UNION ALL
SELECT closed_month, pool, component, attempt_id, cost_centre, reason, weight, part
FROM closed
JOIN asked USING (pool, closed_month);

INSERT INTO shared_part (statement_month, invoice_key, shared_kind, pool, closed_month, part, component, target, attempt_id,
                         cost_centre, reason, weight, billed_cost, effective_cost)
SELECT statement_month, invoice_key, 'pool', split.pool, split.closed_month, split.part, split.component,
       CASE WHEN split.attempt_id IS NOT NULL THEN 'job' WHEN split.cost_centre IS NOT NULL THEN 'cost centre' ELSE 'unallocated' END,
       split.attempt_id, split.cost_centre, split.reason, split.weight, split.billed_cost, split.effective_cost
FROM pool_amount
JOIN (SELECT pool, closed_month, array_agg(taker ORDER BY part) AS takers, array_agg(weight ORDER BY part) AS weights
      FROM pool_weight_of_month AS taker
      GROUP BY pool, closed_month) AS weighed
     ON weighed.pool = pool_amount.pool AND weighed.closed_month IS NOT DISTINCT FROM pool_amount.closed_month
CROSS JOIN LATERAL (SELECT split_parts(effective_cost, weights) OFFSET 0) AS effective (parts)
CROSS JOIN LATERAL (SELECT CASE WHEN billed_cost = effective_cost AND scale(billed_cost) = scale(effective_cost) THEN effective.parts -- split once
                                ELSE split_parts(billed_cost, weights) END) AS billed (parts)
CROSS JOIN LATERAL unnest(takers, billed.parts, effective.parts)
           AS split (closed_month, pool, component, attempt_id, cost_centre, reason, weight, part, billed_cost, effective_cost)
CROSS JOIN month;

-- shared_part now has nearly all of its rows, one for each attempt, pool and invoice. The next
-- queries are planned for as many.
SELECT analyze_tables('shared_part');

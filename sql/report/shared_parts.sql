-- Sheet "Shared and idle": who takes what part of each pool, by what weight. A cost centre's own
-- workbook has only its parts, and the cost of the whole pool.
SELECT pool_no, part.pool, part.component, coalesce(cost_centre, 'unallocated: ' || reason) AS taker, pool_of_month.split, pool_of_month.basis,
       weight, pool_weight, round(weight / nullif(pool_weight, 0), 9) AS share, on_jobs, minor_units, unallocated_minor, pool_minor
FROM (SELECT *, sum(coalesce(minor_units, 0) + coalesce(unallocated_minor, 0)) OVER (PARTITION BY pool)::bigint AS pool_minor
      FROM report_pool_part) AS part
LEFT JOIN LATERAL (SELECT split, basis FROM stated_pool
                   WHERE statement_month = current_setting('kstar.statement_month')::date AND stated_pool.pool = part.pool
                     AND valid_from <= (statement_month + interval '1 month' - interval '1 day')::date
                     AND valid_to > (statement_month + interval '1 month' - interval '1 day')::date
                   ORDER BY valid_from DESC LIMIT 1) AS pool_of_month ON true
WHERE current_setting('kstar.cost_centre') IN ('', cost_centre)
ORDER BY pool_no, cost_centre COLLATE "C" NULLS LAST;

-- Sheet "Shared and idle": each pool, how it is split (pools.csv, on the month's last day), and
-- what its cost centres pay.
SELECT pool_no, part.pool, part.component, pool_of_month.owner, pool_of_month.split, pool_of_month.basis,
       count(*) FILTER (WHERE cost_centre IS NOT NULL) AS payers,
       coalesce(sum(weight), 0) AS pool_weight, coalesce(sum(minor_units), 0)::bigint AS minor_units,
       coalesce(sum(unallocated_minor), 0)::bigint AS unallocated_minor
FROM report_pool_part AS part
LEFT JOIN LATERAL (SELECT owner, split, basis FROM stated_pool
                   WHERE statement_month = current_setting('kstar.statement_month')::date AND stated_pool.pool = part.pool
                     AND valid_from <= (statement_month + interval '1 month' - interval '1 day')::date
                     AND valid_to > (statement_month + interval '1 month' - interval '1 day')::date
                   ORDER BY valid_from DESC LIMIT 1) AS pool_of_month ON true
GROUP BY pool_no, part.pool, part.component, pool_of_month.owner, pool_of_month.split, pool_of_month.basis
ORDER BY pool_no;

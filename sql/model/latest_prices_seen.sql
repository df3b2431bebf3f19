-- As latest_prices.sql, for a reader: what the reader's jobs paid in the latest statement that has
-- a price for them, and how most of their hardware was bought. The series is null: any.
WITH latest AS (
    SELECT job.*, (node_hours - unpriced_node_hours)::double precision AS priced_hours, spot_share,
           CASE WHEN unit = 'accelerators' THEN accelerators_per_node ELSE 1 END AS k_per_node
    FROM kstar_views.report_job AS job
    JOIN kstar_views.report_family AS declared USING (statement_month, cost_centre, family)
    WHERE statement_currency = (SELECT statement_currency FROM kstar_views.report_month ORDER BY statement_month DESC LIMIT 1)
), of_month AS (
    SELECT family, statement_month, statement_currency,
           sum(price_per_node_hour * priced_hours)
               / nullif(sum(priced_hours * k_per_node) FILTER (WHERE price_per_node_hour IS NOT NULL), 0) AS price,
           coalesce(sum(overhead_per_node_hour * node_hours) / nullif(sum(node_hours * k_per_node), 0), 0) AS overhead,
           sum(fixed_per_wall_hour * wall_hours) / nullif(sum(wall_hours), 0)                             AS fixed,
           max(waiting_per_hour)                                                                          AS waiting,
           2 * sum(price_per_node_hour * priced_hours * coalesce(spot_share, 0)) > sum(price_per_node_hour * priced_hours) AS is_spot
    FROM latest
    GROUP BY family, statement_month, statement_currency
)
SELECT DISTINCT ON (family COLLATE "C") family, price, overhead, greatest(coalesce(fixed, 0) - coalesce(waiting, 0), 0), coalesce(waiting, 0),
       to_char(statement_month, 'YYYY-MM'), CASE WHEN is_spot THEN 'spot' ELSE 'on demand' END, NULL, statement_currency
FROM of_month
WHERE price IS NOT NULL
ORDER BY family COLLATE "C", statement_month DESC;

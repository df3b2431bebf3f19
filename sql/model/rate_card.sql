-- The rate card of the statement of month $1, by default of the latest one, for the fits of family
-- $2, the fit of that name, or all. In the order of K; relative cost and hours are 1 at K*.
WITH tier AS (
    SELECT rate.*, price_per_node_hour + overhead_per_node_hour + fixed_per_wall_hour / k AS node_hour_price,
           (price_per_node_hour + overhead_per_node_hour + fixed_per_wall_hour / k) / efficiency * stretch AS useful_price
    FROM family_rate AS rate
    JOIN (SELECT statement_month, family, jobs_family FROM family_fit) AS fit USING (statement_month, family)
    WHERE statement_month = coalesce(nullif($1, '')::date, (SELECT max(statement_month) FROM statement))
      AND $2 IN ('', family, jobs_family)
)
SELECT to_char(statement_month, 'YYYY-MM') AS month, family, tier.k::bigint AS k, tier.unit,
       CASE WHEN tier.is_k_star THEN 'K*' ELSE '' END AS mark, tier.basis,
       round(tier.node_hour_price::numeric, 4)::text AS price_per_hour,
       round(tier.efficiency::numeric, 4)::text      AS efficiency,
       round(tier.useful_price::numeric, 4)::text    AS price_per_useful_hour, statement_currency AS currency,
       trim_scale(fit.waiting_per_hour::numeric)::text AS waiting_per_hour,
       round((tier.useful_price / nullif(base.useful_price, 0))::numeric, 4)::text AS relative_cost,
       round((tier.hours / base.hours)::numeric, 4)::text AS relative_hours
FROM tier
JOIN (SELECT family, useful_price, hours FROM tier WHERE is_k_star) AS base USING (family)
JOIN statement USING (statement_month)
JOIN family_fit AS fit USING (statement_month, family)
ORDER BY family COLLATE "C", tier.k;

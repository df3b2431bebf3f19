-- Sheet "Rate card": the tiers of the families that rate_families.sql lists, with the same
-- family_no. Figures are calculated from rounded cells, as the sheet's formulas do.
WITH based AS (
    SELECT family
    FROM family_rate
    WHERE statement_month = current_setting('kstar.statement_month')::date AND is_k_star
), priced AS (
    SELECT rate.*, dense_rank() OVER (ORDER BY family COLLATE "C") AS family_no,
           round((price_per_node_hour + overhead_per_node_hour + fixed_per_wall_hour / k)::numeric, 6) AS node_hour_price
    FROM family_rate AS rate
    JOIN based USING (family)
    WHERE statement_month = current_setting('kstar.statement_month')::date
), useful AS (
    SELECT priced.*, round((node_hour_price::float8 / efficiency * stretch)::numeric, 6) AS useful_price
    FROM priced
)
SELECT family_no, family, tier.unit, tier.k, tier.basis, CASE WHEN tier.is_k_star THEN 'K*' END AS mark,
       tier.price_per_node_hour, tier.overhead_per_node_hour, tier.fixed_per_wall_hour, tier.node_hour_price, tier.efficiency, tier.stretch,
       tier.hours, tier.useful_price,
       round(tier.useful_price / nullif(base.useful_price, 0), 6) AS relative_cost,
       round((tier.hours / base.hours)::numeric, 6)               AS relative_hours
FROM useful AS tier
JOIN (SELECT family_no, useful_price, hours FROM useful WHERE is_k_star) AS base USING (family_no)
ORDER BY family COLLATE "C", tier.k;

-- Sheet "Rate card": each family with tiers, its base at K*, and a sentence to publish. The
-- sentence has the tiers above K*, or, if there are none, those below; none is above the largest
-- measured K. If waiting has a cost, a K below K* may cost less money; then the sentence says so.
WITH tier AS (
    SELECT rate.*, (price_per_node_hour + overhead_per_node_hour + fixed_per_wall_hour / k) / efficiency * stretch AS useful_price,
           round((price_per_node_hour + overhead_per_node_hour + fixed_per_wall_hour / k)::numeric, 6)            AS node_hour_price,
           k || ' ' || CASE WHEN k = 1 THEN rtrim(unit, 's') ELSE unit END               AS size
    FROM family_rate AS rate
    WHERE statement_month = current_setting('kstar.statement_month')::date
), base AS (
    SELECT * FROM tier WHERE is_k_star
), tier_text AS (
    SELECT family, CASE WHEN tier.k > base.k THEN 'above' ELSE 'below' END AS side, tier.k AS at_k,
           to_char(tier.useful_price / nullif(base.useful_price, 0), 'FM999999990.00') || ' times as much on ' || tier.size
           || ', in ' || to_char(tier.hours / base.hours, 'FM999999990.00') || ' of the hours' AS words
    FROM base
    JOIN tier USING (family)
    WHERE tier.k <> base.k AND tier.basis IN ('measured', 'fitted')
), listed AS (
    SELECT family, side, string_agg(words, '; ' ORDER BY at_k) AS words
    FROM tier_text
    GROUP BY family, side
), judged AS (
    SELECT family, bool_and(tier.useful_price >= base.useful_price * (1 - 1e-9)) AS is_cheapest
    FROM tier
    JOIN base USING (family)
    GROUP BY family
)
SELECT dense_rank() OVER (ORDER BY family COLLATE "C") AS family_no, family, base.unit, base.k, base.basis,
       fit.smallest_k || ' to ' || fit.largest_k AS measured, base.price_per_node_hour, base.overhead_per_node_hour, base.fixed_per_wall_hour,
       base.node_hour_price, base.efficiency, base.stretch, base.hours,
       round((base.node_hour_price::float8 / base.efficiency * base.stretch)::numeric, 6) AS useful_price,
       'A useful ' || rtrim(base.unit, 's') || '-hour of ' || family || ' costs '
       || statement_currency || ' ' || to_char(base.useful_price, 'FM999999999990.00') || ' on ' || base.size
       || CASE WHEN is_cheapest THEN ', where the same work is cheapest; ' ELSE ', the cheapest with ' END
       || waiting_text(fit.waiting_per_hour, statement_currency)
       || coalesce('. The same work costs ' || coalesce(above.words, below.words), '') || '.' AS sentence
FROM base
JOIN family_fit AS fit USING (statement_month, family)
JOIN statement USING (statement_month)
JOIN judged USING (family)
LEFT JOIN (SELECT * FROM listed WHERE side = 'above') AS above USING (family)
LEFT JOIN (SELECT * FROM listed WHERE side = 'below') AS below USING (family)
ORDER BY family COLLATE "C";

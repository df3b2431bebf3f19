-- What changed between pairs of loads: $1 are earlier loads, $2 later ones of the same source and
-- billing period. $3 selects a dimension (NULL: all). If $4 is true, equal rows are shown, too.
-- Cost centres are compared by what they are charged.
WITH pair AS (
    SELECT latest.source, latest.billing_period, after_load, before_load
    FROM unnest($1::integer[], $2::integer[]) AS compared (before_load, after_load)
    JOIN load AS latest ON latest.load_id = after_load
), summary_row AS (
    SELECT pair.source, pair.billing_period, dimension, name, currency,
           billed_cost AS billed_after, effective_cost AS effective_after, 0::numeric AS billed_before, 0::numeric AS effective_before
    FROM pair JOIN load_summary ON load_id = after_load
    UNION ALL
    SELECT pair.source, pair.billing_period, dimension, name, currency, 0, 0, billed_cost, effective_cost
    FROM pair JOIN load_summary ON load_id = before_load
), compared AS (
    SELECT source, billing_period, dimension, name, currency,
           sum(billed_before) AS billed_before, sum(billed_after) AS billed_after,
           sum(effective_before) AS effective_before, sum(effective_after) AS effective_after
    FROM summary_row
    GROUP BY source, billing_period, dimension, name, currency
), with_sources AS (
    SELECT * FROM compared
    UNION ALL -- every line has a service, so the services add up to the source
    SELECT source, billing_period, 'source', source, currency,
           sum(billed_before), sum(billed_after), sum(effective_before), sum(effective_after)
    FROM compared WHERE dimension = 'service'
    GROUP BY source, billing_period, currency
)
SELECT source, to_char(billing_period, 'YYYY-MM') AS "billing_period", dimension AS "by", name, currency,
       coalesce(trim_scale(CASE WHEN dimension <> 'cost centre' THEN billed_before END)::text, '') AS "billed_before",
       coalesce(trim_scale(CASE WHEN dimension <> 'cost centre' THEN billed_after END)::text, '') AS "billed_after",
       coalesce(trim_scale(CASE WHEN dimension <> 'cost centre' THEN billed_after - billed_before END)::text, '') AS "billed_change",
       trim_scale(effective_before)::text AS "effective_before",
       trim_scale(effective_after)::text AS "effective_after",
       trim_scale(effective_after - effective_before)::text AS "effective_change"
FROM with_sources
WHERE ($3::text IS NULL OR dimension = $3)
  AND ($4::boolean OR effective_after <> effective_before OR billed_after IS DISTINCT FROM billed_before)
ORDER BY source COLLATE "C", billing_period,
         array_position(ARRAY['source', 'service', 'account', 'cost centre'], dimension),
         abs(effective_after - effective_before) DESC, name COLLATE "C", currency;

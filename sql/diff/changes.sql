-- What changed between the last two loads of each source of month $1: only source $2, only
-- dimension $3 (NULL: all), with the lines that are equal where $4 is true. Cost centres are
-- compared by what they are charged.
WITH pair AS (
    SELECT latest.source, latest.billing_period, latest.load_id AS after_load,
           (SELECT max(load_id) FROM load AS earlier
            WHERE earlier.source = latest.source AND earlier.billing_period = latest.billing_period
              AND earlier.load_id < latest.load_id) AS before_load
    FROM load AS latest
    JOIN current_load USING (load_id)
    WHERE latest.statement_month = $1::date AND ($2::text IS NULL OR latest.source = $2)
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
    WHERE EXISTS (SELECT FROM pair WHERE pair.source = summary_row.source AND pair.billing_period = summary_row.billing_period
                                     AND before_load IS NOT NULL)
    GROUP BY source, billing_period, dimension, name, currency
), with_sources AS (
    SELECT * FROM compared
    UNION ALL -- every line has a service: their sum is the source's
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

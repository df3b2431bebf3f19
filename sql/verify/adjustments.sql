-- The adjustments of each closed month and source are its invoices as replayed − as closed − what
-- closed statements have adjusted since. What was closed is what the closed statement says, where
-- both are in one currency. $1 is the month that carries them.
WITH proof AS (
    SELECT adjusted_month, coalesce(source, '') AS source, frozen_minor, adjusted_minor, replayed_minor
    FROM adjustment_proof WHERE statement_month = $1::date
), carried AS (
    SELECT adjusted_month, coalesce(source, '') AS source, sum(minor_units) AS minor_units, count(*) AS rows, bool_or(exchange_rate IS NOT NULL) AS is_converted
    FROM adjustment WHERE statement_month = $1::date GROUP BY 1, 2
), closed AS (
    SELECT statement_month AS adjusted_month, source, sum(minor_units) AS closed_minor FROM statement_invoice GROUP BY 1, 2
), compared AS (
    SELECT coalesce(rows, 0) AS rows,
           coalesce(minor_units, 0) <> coalesce(replayed_minor - frozen_minor - adjusted_minor, 0)
           OR is_converted IS NOT TRUE AND source <> '' AND frozen_minor <> coalesce(closed_minor, 0) AS differs,
           format('%s, %s: %s cents are carried; as replayed %s, as closed %s, adjusted since %s; the closed statement has %s', to_char(adjusted_month, 'YYYY-MM'),
                  coalesce(nullif(source, ''), 'internal charges'), coalesce(minor_units, 0), replayed_minor, frozen_minor, adjusted_minor,
                  coalesce(closed_minor, 0)) AS what
    FROM proof
    FULL JOIN carried USING (adjusted_month, source)
    LEFT JOIN closed USING (adjusted_month, source)
)
SELECT coalesce(sum(rows), 0)::bigint, count(*) FILTER (WHERE differs), min(what COLLATE "C") FILTER (WHERE differs), NULL
FROM compared;

-- The adjustments of each closed month and source are its invoices as replayed − as closed − what
-- closed statements have adjusted since. The same holds for each adjustment. If all are in one
-- currency, the closed and adjusted amounts are those of the closed statements. $1 is the month
-- that carries them.
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
), cell AS MATERIALIZED ( -- the cell of a statement that an adjustment is about
    SELECT adjustment.*, jsonb_build_array(source, line_type, cost_centre, component, subject, gl_account) AS cell
    FROM adjustment WHERE statement_month = $1::date
), closed_cell AS (
    SELECT statement_month AS adjusted_month, jsonb_build_array(source, line_type, cost_centre, component, subject, gl_account) AS cell,
           sum(minor_units) AS closed_minor
    FROM statement_cell WHERE statement_month IN (SELECT adjusted_month FROM cell) GROUP BY 1, 2
), since_cell AS ( -- in statements that were closed before this one
    SELECT adjusted_month, jsonb_build_array(source, line_type, cost_centre, component, subject, gl_account) AS cell, sum(own_minor) AS since_minor
    FROM adjustment
    JOIN closure USING (statement_month)
    WHERE statement_month <> $1::date AND (close_number < (SELECT close_number FROM closure WHERE statement_month = $1::date)) IS NOT FALSE
    GROUP BY 1, 2
), compared_cell AS (
    SELECT minor_units <> replayed_minor - frozen_minor - adjusted_minor
           OR exchange_rate IS NULL AND (own_minor, frozen_minor, adjusted_minor) <> (minor_units, coalesce(closed_minor, 0), coalesce(since_minor, 0)) AS differs,
           format('%s, %s, %s: the adjustment is %s cents, %s in the currency of its month: %s replayed less %s closed and %s adjusted before; '
                  'the closed statements have %s and %s',
                  to_char(adjusted_month, 'YYYY-MM'), coalesce(source, 'internal charges'),
                  concat_ws(' ', coalesce('cost centre ' || cost_centre, line_type), component, nullif(subject, ''), gl_account), minor_units, own_minor,
                  replayed_minor, frozen_minor, adjusted_minor, coalesce(closed_minor, 0), coalesce(since_minor, 0)) AS what
    FROM cell
    LEFT JOIN closed_cell USING (adjusted_month, cell)
    LEFT JOIN since_cell USING (adjusted_month, cell)
), answer AS (
    SELECT rows, differs, what FROM compared
    UNION ALL
    SELECT 0, differs, what FROM compared_cell
)
SELECT coalesce(sum(rows), 0)::bigint, count(*) FILTER (WHERE differs), min(what COLLATE "C") FILTER (WHERE differs), NULL
FROM answer;

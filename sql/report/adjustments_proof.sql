-- Sheet "Reconciliation": per closed month and source, adjustments = invoices as they would be
-- today − as closed − adjusted since.
WITH carried AS (
    SELECT adjusted_month, source, sum(minor_units) AS minor_units
    FROM adjustment
    WHERE statement_month = current_setting('kstar.statement_month')::date
    GROUP BY adjusted_month, source
)
SELECT to_char(adjusted_month, 'YYYY-MM') AS adjusted_month, coalesce(source, 'internal') AS source,
       frozen_minor, adjusted_minor, replayed_minor, (replayed_minor - frozen_minor - adjusted_minor)::bigint AS due,
       carried.minor_units::bigint AS carried,
       (carried.minor_units - (replayed_minor - frozen_minor - adjusted_minor))::bigint AS difference,
       carried.minor_units = replayed_minor - frozen_minor - adjusted_minor AS proven
FROM (SELECT * FROM adjustment_proof WHERE statement_month = current_setting('kstar.statement_month')::date) AS proof
JOIN LATERAL (SELECT minor_units FROM carried
              WHERE carried.adjusted_month = proof.adjusted_month AND carried.source IS NOT DISTINCT FROM proof.source) AS carried ON true
ORDER BY proof.adjusted_month, proof.source COLLATE "C";

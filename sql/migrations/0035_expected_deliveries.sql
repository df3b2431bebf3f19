-- sources.csv may say how many hours may pass from one delivery of a source to its next (docs/reference.md).
ALTER TABLE source_configuration ADD COLUMN expected_within_hours integer;

-- Whose next delivery is expected by when, and whether it is late. What counts is when something new of it was last loaded: what is
-- refused or held, or known already, is no delivery. Where the run ledger does not know, how far its records reach, which is earlier.
-- Without either it never came, and is late.
CREATE VIEW source_expectation AS
WITH reach (kind, source, covered_to) AS (
    SELECT 'billing', load.source, max(covered_to) FROM load JOIN current_load USING (load_id) GROUP BY load.source
    UNION ALL
    SELECT 'jobs', source, horizon FROM job_horizon
    UNION ALL
    SELECT 'nodes', source, max(taken_at) FROM node_snapshot GROUP BY source
)
SELECT kind,
       source,
       expected_within_hours,
       came_at,
       came_at + expected_within_hours * interval '1 hour'                                           AS expected_by,
       coalesce(came_at + expected_within_hours * interval '1 hour' < clock_timestamp(), true)       AS is_late
FROM source_configuration
LEFT JOIN reach USING (kind, source)
CROSS JOIN LATERAL (SELECT coalesce(max(settled_at), covered_to) AS came_at
                    FROM run_delivery
                    WHERE run_delivery.kind = source_configuration.kind AND run_delivery.source = source_configuration.source
                      AND outcome = 'done') AS latest
WHERE expected_within_hours IS NOT NULL;

-- How late that is: '5 h', '3 days', 'never came'; null where it is not late.
CREATE FUNCTION late_text(is_late boolean, expected_by timestamptz) RETURNS text
LANGUAGE sql STABLE
RETURN CASE WHEN is_late IS NOT TRUE        THEN NULL
            WHEN expected_by IS NULL        THEN 'never came'
            WHEN clock_timestamp() - expected_by < interval '72 hours'
                                            THEN trunc(extract(epoch FROM clock_timestamp() - expected_by) / 3600) || ' h'
            ELSE trunc(extract(epoch FROM clock_timestamp() - expected_by) / 86400) || ' days' END;

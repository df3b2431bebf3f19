-- The attempts of the month, each with what was measured on it alone, and with the compute share of
-- a profiled step at its K. That share is the job's own, otherwise its family's; it says nothing
-- about another K, so it never enters a fit. Strong and weak scaling are never mixed: if there is
-- strong scaling, it counts.
DECLARE attempts NO SCROLL CURSOR FOR
WITH measured AS (
    SELECT family, job_id, k, metric, value, scaling, scaling = 'strong' AS comes_first
    FROM measurement
    WHERE metric IN ('efficiency', 'compute_share')
), own AS (
    SELECT judged, coalesce(avg(value) FILTER (WHERE metric = 'efficiency' AND comes_first),
                            avg(value) FILTER (WHERE metric = 'efficiency'))                    AS efficiency,
                   coalesce(avg(value) FILTER (WHERE metric = 'compute_share' AND comes_first),
                            avg(value) FILTER (WHERE metric = 'compute_share'))                 AS compute_share,
                   -- 'strong' < 'weak'
                   min(scaling) FILTER (WHERE metric = 'efficiency')                            AS scaling
    FROM (SELECT DISTINCT judged, family, job_id, k FROM measured_attempt WHERE NOT is_ambiguous) AS named
    JOIN measured USING (family, job_id, k)
    GROUP BY judged
), of_family AS (
    SELECT family, k, coalesce(avg(value) FILTER (WHERE comes_first), avg(value)) AS compute_share
    FROM measured
    WHERE job_id IS NULL AND metric = 'compute_share'
    GROUP BY family, k
)
SELECT attempt_id, coalesce(attempt.family, ''), attempt.k, own.efficiency, coalesce(own.compute_share, of_family.compute_share), own.scaling,
       coalesce(accelerator, '')
FROM attempt
LEFT JOIN attempt_accelerator USING (attempt_id)
LEFT JOIN job_component USING (attempt_id)
LEFT JOIN own ON judged = coalesce(whole, attempt_id)
LEFT JOIN of_family ON of_family.family = attempt.family AND of_family.k = attempt.k
ORDER BY attempt_id;

-- The attempts whose E(K) is needed, each with what was measured on it alone, and with the compute
-- share of a profiled step at its K. That share is the job's own, otherwise its family's; it says
-- nothing about another K, so it never enters a fit. Two schedulers may use the same job_id: the
-- measurement is of the job with its family. Measurements are averaged once: a site may have as
-- many as jobs, and otherwise each job would read them all. A measurement of a heterogeneous job
-- is under the id of one of its components, or under theirs without offset. Strong and weak scaling
-- are never mixed: if there is strong scaling, it counts.
DECLARE attempts NO SCROLL CURSOR FOR
WITH stated AS (
    SELECT attempt_id FROM attempt_month
    UNION
    SELECT attempt_id FROM charge JOIN month USING (statement_month) WHERE target = 'job'
), component_id AS ( -- '920+1' and '920'
    SELECT DISTINCT whole, family, k, unnest(ARRAY[job_id, split_part(job_id, '+', 1)]) AS job_id
    FROM job_component
    JOIN attempt USING (attempt_id)
), measured AS (
    SELECT family, job_id, k, metric, value, scaling, scaling = 'strong' AS comes_first
    FROM (SELECT family, job_id, k, metric, value, scaling FROM measurement WHERE job_id IS NULL
          UNION ALL
          SELECT family, job_id, k, metric, value, scaling
          FROM measurement
          JOIN (SELECT job_id FROM attempt UNION SELECT job_id FROM component_id) AS asked USING (job_id)) AS known
    WHERE metric IN ('efficiency', 'compute_share')
), own AS (
    SELECT family, job_id, k, coalesce(avg(value) FILTER (WHERE metric = 'efficiency' AND comes_first),
                                       avg(value) FILTER (WHERE metric = 'efficiency'))                    AS efficiency,
                              coalesce(avg(value) FILTER (WHERE metric = 'compute_share' AND comes_first),
                                       avg(value) FILTER (WHERE metric = 'compute_share'))                 AS compute_share,
                              -- 'strong' < 'weak'
                              min(scaling) FILTER (WHERE metric = 'efficiency')                            AS scaling
    FROM measured
    WHERE job_id IS NOT NULL
    GROUP BY family, job_id, k
), own_of_all AS (
    SELECT whole, coalesce(avg(value) FILTER (WHERE metric = 'efficiency' AND comes_first),
                           avg(value) FILTER (WHERE metric = 'efficiency'))                    AS efficiency,
                  coalesce(avg(value) FILTER (WHERE metric = 'compute_share' AND comes_first),
                           avg(value) FILTER (WHERE metric = 'compute_share'))                 AS compute_share,
                  min(scaling) FILTER (WHERE metric = 'efficiency')                            AS scaling
    FROM component_id
    JOIN measured USING (family, job_id, k)
    GROUP BY whole
), of_family AS (
    SELECT family, k, coalesce(avg(value) FILTER (WHERE comes_first), avg(value)) AS compute_share
    FROM measured
    WHERE job_id IS NULL AND metric = 'compute_share'
    GROUP BY family, k
)
SELECT attempt_id, coalesce(attempt.family, ''), attempt.k, coalesce(own.efficiency, own_of_all.efficiency),
       coalesce(own.compute_share, own_of_all.compute_share, of_family.compute_share), coalesce(own.scaling, own_of_all.scaling),
       coalesce(accelerator, '')
FROM attempt
JOIN stated USING (attempt_id)
LEFT JOIN attempt_accelerator USING (attempt_id)
LEFT JOIN job_component USING (attempt_id)
LEFT JOIN own_of_all USING (whole)
LEFT JOIN own ON whole IS NULL AND own.family = attempt.family AND own.job_id = attempt.job_id AND own.k = attempt.k
LEFT JOIN of_family ON of_family.family = attempt.family AND of_family.k = attempt.k
ORDER BY attempt_id;

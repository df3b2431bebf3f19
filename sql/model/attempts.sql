-- The attempts whose E(K) is asked for, with what was measured on them alone, and the compute share of a profiled step at
-- their K: their own, else one of their family (which says nothing at another K, so it never enters a fit).
DECLARE attempts NO SCROLL CURSOR FOR
SELECT attempt_id, coalesce(family, ''), k,
       (SELECT avg(value) FROM measurement
        WHERE measurement.job_id = attempt_size.job_id AND measurement.k = attempt_size.k AND metric = 'efficiency'),
       coalesce((SELECT avg(value) FROM measurement
                 WHERE measurement.job_id = attempt_size.job_id AND measurement.k = attempt_size.k
                   AND metric = 'compute_share'),
                (SELECT avg(value) FROM measurement
                 WHERE measurement.job_id IS NULL AND measurement.family = attempt_size.family
                   AND measurement.k = attempt_size.k AND metric = 'compute_share'))
FROM attempt_size
WHERE attempt_id IN (SELECT attempt_id FROM line_part JOIN month USING (statement_month) WHERE target = 'job')
   OR attempt_id IN (SELECT attempt_id FROM attempt_month)
ORDER BY attempt_id;

-- The attempts whose E(K) is asked for, with what was measured or profiled on them alone.
DECLARE attempts NO SCROLL CURSOR FOR
SELECT attempt_id, coalesce(family, ''), k,
       (SELECT avg(value) FROM measurement
        WHERE measurement.job_id = attempt_size.job_id AND measurement.k = attempt_size.k AND metric = 'efficiency'),
       (SELECT avg(value) FROM measurement
        WHERE measurement.job_id = attempt_size.job_id AND measurement.k = attempt_size.k AND metric = 'compute_share')
FROM attempt_size
WHERE attempt_id IN (SELECT attempt_id FROM line_part JOIN month USING (statement_month) WHERE target = 'job')
   OR attempt_id IN (SELECT attempt_id FROM attempt_month)
ORDER BY attempt_id;

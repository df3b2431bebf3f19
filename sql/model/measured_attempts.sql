-- The attempts of which E was measured, with the ids in efficiency/*.csv: 4711, west/4711, and for
-- a heterogeneous job its own, without offset. Two schedulers may use the same id: the measurement
-- is of the job with its family and K. If jobs of several clusters have these, too, nobody knows of
-- which job the measurement is, and it counts for none. But an attempt keeps the E that it has in a
-- closed statement.
CREATE TEMP TABLE measured_attempt ON COMMIT DROP AS
SELECT attempt_id, judged, cluster, family, k, job_id, min(cluster) OVER alike <> max(cluster) OVER alike AS is_ambiguous
FROM (SELECT DISTINCT attempt.attempt_id, coalesce(whole, attempt.attempt_id) AS judged, cluster, family, k, measured.job_id
      FROM attempt
      LEFT JOIN job_component USING (attempt_id)
      CROSS JOIN LATERAL (VALUES (attempt.job_id), (CASE WHEN whole IS NOT NULL THEN split_part(attempt.job_id, '+', 1) END)) AS shown (id)
      CROSS JOIN LATERAL (VALUES (id), (cluster || '/' || id)) AS written (name)
      JOIN (SELECT DISTINCT job_id FROM measurement WHERE job_id IS NOT NULL AND metric IN ('efficiency', 'compute_share')) AS measured
           ON measured.job_id = name) AS named
WINDOW alike AS (PARTITION BY family, job_id, k);

UPDATE measured_attempt AS mine
SET is_ambiguous = false
WHERE is_ambiguous
  AND EXISTS (SELECT
              FROM kstar.job_result
              WHERE job_result.attempt_id = mine.attempt_id AND statement_month IN (SELECT statement_month FROM kstar.closure)
                AND (efficiency_from = 'job'
                     OR efficiency_from = 'profiled' AND NOT EXISTS (SELECT -- its family's would be another
                                                                     FROM measurement
                                                                     WHERE job_id IS NULL AND metric = 'compute_share'
                                                                       AND measurement.family = mine.family AND measurement.k = mine.k)));

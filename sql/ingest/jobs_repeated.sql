-- Why this delivery of source $1 must wait: most of its runs are new to the source, and known
-- already as those of another. They would count twice, and an attempt is never removed.
WITH elsewhere AS MATERIALIZED (
    SELECT DISTINCT record_number, chosen_job.attempt_id, staged_job.cluster, staged_job.job_id, other.source
    FROM chosen_job
    JOIN staged_job USING (record_number)
    JOIN timed_job USING (record_number)
    CROSS JOIN LATERAL (SELECT source, start_time
                        FROM job
                        WHERE job.cluster = staged_job.cluster AND job.job_id_raw = staged_job.job_id_raw
                        OFFSET 0) AS other
    WHERE other.source <> $1 AND other.start_time = timed_job.start_time
),
known AS MATERIALIZED (
    SELECT elsewhere.attempt_id
    FROM elsewhere
    CROSS JOIN LATERAL (SELECT attempt_id FROM job WHERE job.attempt_id = elsewhere.attempt_id OFFSET 0) AS own
),
repeated AS MATERIALIZED (
    SELECT *
    FROM elsewhere
    WHERE NOT EXISTS (SELECT FROM known WHERE known.attempt_id = elsewhere.attempt_id)
)
SELECT format('%s of its %s runs are known as those of source %s, such as job %s of cluster %s: they would count twice',
              repeated, delivered, source, job_id, cluster)
FROM (SELECT count(DISTINCT record_number) FROM repeated) AS counted_repeated (repeated)
CROSS JOIN (SELECT count(*) FROM delivered_job WHERE start_time IS NOT NULL) AS counted (delivered)
CROSS JOIN (SELECT source, job_id, cluster FROM repeated ORDER BY record_number, source LIMIT 1) AS first
WHERE 2 * repeated > delivered;

-- Why this delivery of source $1 is held: over a tenth of its runs are already known under another
-- source, or under another cluster of this source. (A record that names no cluster gets a cluster
-- with the source's name.) A managed job is known by its resource, whatever its cluster. The runs
-- would count twice, and kstar never removes an attempt.
WITH elsewhere AS MATERIALIZED (
    SELECT DISTINCT record_number, chosen_job.attempt_id, staged_job.job_id, other.source, other.cluster
    FROM chosen_job
    JOIN staged_job USING (record_number)
    JOIN timed_job USING (record_number)
    JOIN recorded_job AS other ON other.job_id_raw = staged_job.job_id_raw AND other.start_time = timed_job.start_time
    WHERE CASE WHEN other.source <> $1 THEN other.cluster = staged_job.cluster OR lower(other.resource_id) = lower(staged_job.resource_id)
               ELSE other.cluster <> staged_job.cluster AND $1 IN (other.cluster, staged_job.cluster) END
),
repeated AS MATERIALIZED (
    SELECT *
    FROM elsewhere
    WHERE NOT EXISTS (SELECT FROM recorded_job WHERE recorded_job.attempt_id = elsewhere.attempt_id)
)
SELECT format('%s of its %s runs are known as those of source %s and cluster %s, such as job %s: they would count twice',
              repeated, delivered, source, cluster, job_id)
FROM (SELECT count(DISTINCT record_number) FROM repeated) AS counted_repeated (repeated)
CROSS JOIN (SELECT count(*) FROM delivered_job WHERE start_time IS NOT NULL) AS counted (delivered)
CROSS JOIN (SELECT source, cluster, job_id FROM repeated ORDER BY record_number, source, cluster LIMIT 1) AS first
WHERE 10 * repeated > delivered;

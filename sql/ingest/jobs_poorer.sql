-- Why this delivery of source $1 is held: it lacks a fact, such as the nodes, for most of its runs
-- that are known with that fact. Its records would replace those that have it. Probably the export
-- has fewer columns.
WITH known AS MATERIALIZED (
    SELECT staged_job.cluster, staged_job.job_id, fact, had, has
    FROM chosen_job
    JOIN staged_job USING (record_number)
    JOIN timed_job USING (record_number)
    JOIN recorded_job AS job ON job.attempt_id = chosen_job.attempt_id
    CROSS JOIN LATERAL (VALUES ('nodes', job.node_list IS NOT NULL, staged_job.node_list IS NOT NULL),
                               ('accelerators', job.accelerators IS NOT NULL, staged_job.accelerators IS NOT NULL OR lists_no_accelerators),
                               ('CPUs', job.cpus IS NOT NULL, staged_job.cpus IS NOT NULL),
                               ('account', job.account IS NOT NULL, staged_job.account IS NOT NULL),
                               ('user', job.user_name IS NOT NULL, staged_job.user_name IS NOT NULL),
                               ('name', job.job_name IS NOT NULL, staged_job.job_name IS NOT NULL)) AS compared (fact, had, has)
    WHERE job.source = $1 AND timed_job.start_time IS NOT NULL AND had
)
SELECT format('%s of its %s runs that are known with their %s come without, such as job %s of cluster %s: has the export fewer columns?',
              count(*) FILTER (WHERE NOT has), count(*), fact,
              (array_agg(job_id ORDER BY cluster, job_id) FILTER (WHERE NOT has))[1], min(cluster) FILTER (WHERE NOT has))
FROM known
GROUP BY fact
HAVING 2 * count(*) FILTER (WHERE NOT has) > count(*)
ORDER BY array_position('{nodes,accelerators,CPUs,account,user,name}', fact)
LIMIT 1;

-- The counts that the log reports of delivery $2 of source $1.
WITH known AS ( -- none for a source's first delivery: its nodes may not have been delivered yet
    SELECT cluster, count(DISTINCT node) AS nodes
    FROM node_inventory
    WHERE EXISTS (SELECT FROM delivery WHERE kind = 'jobs' AND source = $1 AND delivery_id <> $2)
    GROUP BY cluster
)
SELECT count(*)                                                           AS records,
       count(*) - (SELECT count(*) FROM chosen_job)                       AS superseded,
       (SELECT count(*) FROM stored_job)                                  AS stored,
       count(*) FILTER (WHERE start_time IS NULL)                         AS never_started,
       count(*) FILTER (WHERE start_time IS NOT NULL AND end_time IS NULL) AS running,
       count(*) FILTER (WHERE state = 'UNKNOWN')                          AS unknown_states,
       min(state_text) FILTER (WHERE state = 'UNKNOWN')                   AS unknown_state,
       count(*) FILTER (WHERE listed_nodes > 0 AND listed_nodes <> node_count) AS node_counts_differ,
       count(*) FILTER (WHERE abs(extract(epoch FROM end_time - start_time) - elapsed_seconds - suspended_seconds) > 60)
                                                                          AS times_differ,
       (SELECT count(*) FROM run_over WHERE is_gone)                      AS gone,
       (SELECT count(*)
        FROM known_run
        WHERE is_running AND attempt_id NOT IN (SELECT attempt_id FROM chosen_job UNION ALL SELECT attempt_id FROM run_over)
          AND job_id_raw NOT IN (SELECT job_id_raw FROM staged_unread))   AS unnamed,
       count(*) FILTER (WHERE listed_nodes > 2 * known.nodes)             AS unknown_nodes,
       max(listed_nodes) FILTER (WHERE listed_nodes > 2 * known.nodes)    AS most_named,
       (array_agg(known.nodes ORDER BY listed_nodes DESC) FILTER (WHERE listed_nodes > 2 * known.nodes))[1] AS known_of_those,
       (SELECT count(*) FROM unchanged_job JOIN chosen_job USING (attempt_id, record_number)) AS unchanged,
       count(*) FILTER (WHERE start_time IS NULL AND state = 'COMPLETED') AS no_hours
FROM delivered_job
LEFT JOIN known USING (cluster);

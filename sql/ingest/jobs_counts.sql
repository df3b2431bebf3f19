-- What the log says of a job delivery.
SELECT count(*)                                                           AS records,
       count(*) - (SELECT count(*) FROM chosen_job)                       AS superseded,
       (SELECT count(*) FROM stored_job)                                  AS stored,
       count(*) FILTER (WHERE start_time IS NULL)                         AS never_started,
       count(*) FILTER (WHERE start_time IS NOT NULL AND end_time IS NULL) AS running,
       count(*) FILTER (WHERE state = 'UNKNOWN')                          AS unknown_states,
       min(state_text) FILTER (WHERE state = 'UNKNOWN')                   AS unknown_state,
       count(*) FILTER (WHERE listed_nodes > 0 AND listed_nodes <> node_count) AS node_counts_differ,
       count(*) FILTER (WHERE abs(extract(epoch FROM end_time - start_time) - timed_job.elapsed_seconds - suspended_seconds) > 60)
                                                                          AS times_differ
FROM staged_job
JOIN timed_job USING (record_number);

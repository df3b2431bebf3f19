-- The attempts that lines may be charged to, with their refunds in microseconds, and with the
-- number of instances for jobs of managed services.
DECLARE catalogue NO SCROLL CURSOR FOR
SELECT attempt_id, attempt.cluster, attempt.start_time, attempt.end_time,
       attempt.provisional AND attempt.end_time >= horizon,
       (bare_cpus * 1000000)::bigint,
       coalesce(round((run_seconds - refunded_seconds) * 1000000), 1)::bigint,
       -- a run without length is refunded as a whole
       coalesce(greatest(run_seconds * 1000000, 1) - round((run_seconds - refunded_seconds) * 1000000), 0)::bigint,
       refund.pool, 'refunded: ' || refund.state, managed_attempt.node_count::bigint, cost_centre, family, attempt.outcome
FROM attempt
LEFT JOIN refund USING (attempt_id)
LEFT JOIN managed_attempt USING (attempt_id)
LEFT JOIN recorded_cluster ON recorded_cluster.cluster = attempt.cluster
ORDER BY attempt_id

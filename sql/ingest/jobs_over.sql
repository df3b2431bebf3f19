-- Runs that hold nothing any more by this snapshot, although the snapshot does not report an end:
--
--   waits      the snapshot names the job, and all of its pods wait for a node. The job has let its
--              nodes go and goes on.
--   suspended  the snapshot names the job, and its pods were taken from it. The run is over as if
--              it was preempted. If the job goes on, that is another attempt.
--   gone       the snapshot does not name the job, but shows all objects of its kind in its
--              namespace, or all pods there. Nobody has seen how the job ended.
--
-- Nodes were held up to the last delivery that named the job, or, if the record says when the job
-- was suspended, up to then. A snapshot that is older than that delivery ends nothing. Every
-- cluster has pods in kube-system: a snapshot with those and with pods of other namespaces covers
-- all namespaces, and a namespace that it does not name is empty.
WITH extent AS (
    SELECT max(seen_time) AS seen_time,
           coalesce(bool_or(name_space = 'kube-system') FILTER (WHERE kind = 'Pod')
                    AND bool_or(name_space <> 'kube-system') FILTER (WHERE kind = 'Pod'), false) AS is_of_all
    FROM staged_scope
),
with_nodes AS (
    SELECT DISTINCT attempt_id FROM known_run JOIN job_hold USING (attempt_id) WHERE is_running
)
INSERT INTO run_over (attempt_id, held_to, seen_time, state, state_text, is_gone)
SELECT known_run.attempt_id,
       greatest(seen_to, CASE WHEN ended THEN end_clock AT TIME ZONE 'UTC' END),
       seen_clock AT TIME ZONE 'UTC',
       CASE WHEN NOT ended THEN NULL WHEN state = 'PENDING' THEN 'PREEMPTED' ELSE state END, state_text, false
FROM known_run
JOIN chosen_job USING (attempt_id)
JOIN staged_job USING (record_number)
WHERE is_running AND holds_are_seen AND NOT started AND seen_clock AT TIME ZONE 'UTC' >= seen_to
UNION ALL
SELECT attempt_id, seen_to, NULL, 'UNKNOWN', 'Gone', true
FROM known_run
LEFT JOIN with_nodes USING (attempt_id)
CROSS JOIN extent
WHERE is_running AND seen_to < extent.seen_time
  AND attempt_id NOT IN (SELECT attempt_id FROM chosen_job)
  AND job_id_raw NOT IN (SELECT job_id_raw FROM staged_unread)
  AND EXISTS (SELECT
              FROM staged_scope
              WHERE (staged_scope.name_space = known_run.name_space OR is_of_all)
                AND (kind = known_run.object_kind OR (kind = 'Pod' AND with_nodes.attempt_id IS NOT NULL)));

UPDATE job_hold
SET end_time = greatest(job_hold.start_time, held_to)
FROM run_over
WHERE job_hold.attempt_id = run_over.attempt_id AND job_hold.end_time IS NULL;

UPDATE job
SET seen_time = run_over.seen_time
FROM run_over
WHERE job.attempt_id = run_over.attempt_id AND run_over.seen_time IS NOT NULL;

UPDATE job
SET end_time = greatest(start_time, held_to), state = run_over.state, state_text = run_over.state_text, provisional = false,
    end_is_reckoned = true, elapsed_seconds = extract(epoch FROM greatest(start_time, held_to) - start_time)::bigint
FROM run_over
WHERE job.attempt_id = run_over.attempt_id AND run_over.state IS NOT NULL;

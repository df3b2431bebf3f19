-- Writes the chosen records of source $1 that bring something new into job. A row of job is
-- replaced unless the row knows more: an ended run stays ended, a started run stays started, and a
-- running one does not go back in time. An end that comes from jobs_over.sql, not from a record,
-- gives way to a later snapshot that has the run.
WITH stored AS (
    INSERT INTO job AS known (
        attempt_id, source, cluster, job_id, job_id_raw, attempt_mark, run_group,
        job_name, account, user_name, partition, qos, wckey, comment,
        submit_time, eligible_time, start_time, end_time, elapsed_seconds,
        state, state_text, exit_code, node_count, cpus, accelerators, node_list,
        array_job_id, array_task_id, heterogeneous_job_id, heterogeneous_offset, resource_id, provisional,
        seen_time, object_kind, lists_no_accelerators, accelerator_types, covered_to, covered_from, next_latest_time, record_hash)
    SELECT chosen_job.attempt_id, $1, cluster, job_id, job_id_raw, chosen_job.attempt_mark,
           coalesce(staged_job.run_group, cluster || '/' || coalesce(heterogeneous_job_id, job_id_raw)),
           job_name, account, user_name, partition, qos, wckey, comment,
           submit_time, eligible_time, start_time, end_time, timed_job.elapsed_seconds,
           state, state_text, exit_code, node_count, cpus, accelerators, node_list,
           array_job_id, array_task_id, heterogeneous_job_id, heterogeneous_offset, resource_id,
           start_time IS NOT NULL AND end_time IS NULL,
           seen_clock AT TIME ZONE 'UTC', object_kind, lists_no_accelerators, accelerator_types, covered_to, covered_from, next_latest_time,
           record_hash
    FROM chosen_job
    JOIN staged_job USING (record_number)
    JOIN timed_job USING (record_number)
    WHERE NOT EXISTS (SELECT FROM unchanged_job
                      WHERE unchanged_job.attempt_id = chosen_job.attempt_id AND unchanged_job.record_number = chosen_job.record_number)
    ON CONFLICT (attempt_id) DO UPDATE
    SET job_id = excluded.job_id, run_group = excluded.run_group, job_name = excluded.job_name,
        account = excluded.account, user_name = excluded.user_name, partition = excluded.partition,
        qos = excluded.qos, wckey = excluded.wckey, comment = excluded.comment,
        submit_time = excluded.submit_time, eligible_time = excluded.eligible_time,
        start_time = excluded.start_time, end_time = excluded.end_time,
        elapsed_seconds = excluded.elapsed_seconds, state = excluded.state, state_text = excluded.state_text,
        exit_code = excluded.exit_code, node_count = excluded.node_count, cpus = excluded.cpus,
        accelerators = excluded.accelerators, node_list = excluded.node_list,
        array_job_id = excluded.array_job_id, array_task_id = excluded.array_task_id,
        heterogeneous_job_id = excluded.heterogeneous_job_id,
        heterogeneous_offset = excluded.heterogeneous_offset, resource_id = excluded.resource_id, provisional = excluded.provisional,
        seen_time = greatest(known.seen_time, excluded.seen_time), object_kind = excluded.object_kind, end_is_reckoned = false,
        lists_no_accelerators = excluded.lists_no_accelerators, accelerator_types = excluded.accelerator_types, covered_to = excluded.covered_to,
        covered_from = excluded.covered_from, next_latest_time = excluded.next_latest_time,
        record_hash = excluded.record_hash
    WHERE num_nonnulls(known.start_time, known.end_time) < num_nonnulls(excluded.start_time, excluded.end_time)
       OR (num_nonnulls(known.start_time, known.end_time) = num_nonnulls(excluded.start_time, excluded.end_time)
           AND NOT (known.provisional AND coalesce(excluded.seen_time < known.seen_time, excluded.elapsed_seconds < known.elapsed_seconds)))
       OR (known.end_is_reckoned AND excluded.start_time IS NOT NULL AND excluded.seen_time > known.seen_time)
    RETURNING attempt_id
)
INSERT INTO stored_job (attempt_id)
SELECT attempt_id
FROM stored;

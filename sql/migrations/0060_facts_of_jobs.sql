-- Facts of jobs that were read and not asked for: that a record lists what was allocated, and no accelerators among it, and Slurm's WCKey.
SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true); -- over several servers: else no function may follow a table

-- Where the cluster counts accelerators, such a job had none: on a node with eight of them it took the part of its CPUs from the job that had
-- all eight. Of records that were read before it is not known; they stay as they are until they are told again.
ALTER TABLE job ADD COLUMN lists_no_accelerators boolean NOT NULL DEFAULT false;

-- What an attempt held of nodes of which it had no accelerators, or no CPUs where they have none: nothing is charged for it.
ALTER TABLE job_result ADD COLUMN shareless_node_hours double precision NOT NULL DEFAULT 0;

-- As 0050 has it, with both. A month whose facts are those of its close, or of its latest replay, stays so: a new version of kstar alone
-- replays nothing.
CREATE TEMPORARY TABLE facts_before ON COMMIT DROP AS
SELECT statement_month, facts FROM facts_of_months(ARRAY(SELECT statement_month FROM closure));

CREATE OR REPLACE FUNCTION facts_of_months(months date[]) RETURNS TABLE (statement_month date, facts text)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    span_ends timestamptz[]; -- in order; what starts before the i-th has passed fewer than i of them
BEGIN
    SELECT array_agg(DISTINCT span_to ORDER BY span_to) INTO span_ends
    FROM (SELECT greatest(max(covered_to), (month + interval '1 month')::timestamptz) AS span_to
          FROM unnest(months) AS month
          LEFT JOIN (kstar.load JOIN kstar.current_load USING (load_id)) ON statement_month = month
          GROUP BY month) AS span;

    RETURN QUERY
    WITH current AS (
        SELECT load.*, delivery.sha256, delivery.rejected_rows
        FROM kstar.load
        JOIN kstar.current_load USING (load_id)
        JOIN kstar.delivery USING (delivery_id)
        WHERE statement_month = ANY (months)
    ), span AS (
        SELECT statement_month, span_to, array_position(span_ends, span_to) AS turn
        FROM (SELECT month AS statement_month, greatest(max(covered_to), (month + interval '1 month')::timestamptz) AS span_to
              FROM unnest(months) AS month
              LEFT JOIN current ON current.statement_month = month
              GROUP BY month) AS reach
    ), job_tally AS (
        SELECT width_bucket(start_time, span_ends) AS passed, count(*) AS attempts,
               sum(hashtextextended(ROW(attempt_id, job_id, job_name, account, user_name, partition, qos, comment,
                                        extract(epoch FROM start_time), extract(epoch FROM end_time), coalesce(continued_state, state), node_count,
                                        cpus, accelerators, lists_no_accelerators, node_list, resource_id, heterogeneous_job_id,
                                        source, wckey)::text, 0)::numeric) AS hash
        FROM kstar.job
        WHERE start_time < span_ends[cardinality(span_ends)]
        GROUP BY 1
    ), hold_tally AS ( -- what a job held of its nodes where its record as a whole does not say it: pods come and go
        SELECT width_bucket(job_node.start_time, span_ends) AS passed, count(*) AS holds,
               sum(hashtextextended(ROW(attempt_id, node, extract(epoch FROM job_node.start_time), extract(epoch FROM job_node.end_time),
                                        job_node.cpus, job_node.accelerators)::text, 0)::numeric) AS hash
        FROM kstar.job_node
        JOIN kstar.job USING (attempt_id)
        WHERE job_node.start_time < span_ends[cardinality(span_ends)]
          AND (job_node.start_time IS DISTINCT FROM job.start_time OR job_node.end_time IS DISTINCT FROM job.end_time
               OR job_node.cpus IS DISTINCT FROM round(job.cpus / nullif(job.node_count, 0), 6)
               OR job_node.accelerators IS DISTINCT FROM round(job.accelerators / nullif(job.node_count, 0), 6))
        GROUP BY 1
    ), fact AS (
        SELECT statement_month, concat_ws(' ', 'load', source, billing_period, sha256, row_count, rejected_rows) AS what FROM current
        UNION ALL
        SELECT statement_month, concat_ws(' ', 'jobs', coalesce(sum(attempts), 0), sum(hash))
        FROM span LEFT JOIN job_tally ON passed < turn
        GROUP BY statement_month
        UNION ALL
        SELECT statement_month, concat_ws(' ', 'holds', sum(holds), sum(hash))
        FROM span JOIN hold_tally ON passed < turn
        GROUP BY statement_month
        UNION ALL
        SELECT statement_month, concat_ws(' ', 'horizon', source, extract(epoch FROM least(horizon, span_to)))
        FROM kstar.job_horizon CROSS JOIN span
        UNION ALL
        SELECT statement_month,
               concat_ws(' ', 'nodes', count(node),
                         sum(hashtextextended(ROW(cluster, node, resource_id, accelerators, cpus, valid_from,
                                                  least(valid_to, span_to))::text, 0)::numeric) FILTER (WHERE node IS NOT NULL))
        FROM span LEFT JOIN kstar.node_inventory ON valid_from < span_to
        GROUP BY statement_month
        UNION ALL -- the type of a node says what it costs where it is on no bill
        SELECT statement_month,
               concat_ws(' ', 'node types', count(*),
                         sum(hashtextextended(ROW(cluster, node, resource_id, node_type, valid_from)::text, 0)::numeric))
        FROM span JOIN kstar.node_inventory ON valid_from < span_to
        WHERE cluster IN (SELECT cluster FROM kstar.node_rate)
        GROUP BY statement_month
    )
    SELECT statement_month, encode(sha256(convert_to(string_agg(what, E'\n' ORDER BY what COLLATE "C"), 'UTF8')), 'hex')
    FROM fact
    GROUP BY statement_month;
END
$$;

UPDATE closure
SET facts_sha256 = now.facts
FROM facts_before
JOIN facts_of_months(ARRAY(SELECT statement_month FROM closure)) AS now USING (statement_month)
WHERE closure.statement_month = facts_before.statement_month AND closure.facts_sha256 = facts_before.facts;

UPDATE replay
SET facts_sha256 = now.facts
FROM facts_before
JOIN facts_of_months(ARRAY(SELECT statement_month FROM replay)) AS now USING (statement_month)
WHERE replay.statement_month = facts_before.statement_month AND replay.facts_sha256 = facts_before.facts;

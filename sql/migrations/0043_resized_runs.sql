-- A part of a resized job ends as RESIZING, which was taken for running, hence for productive: a job that failed an hour after it was
-- resized had a success, and all but its last part was useful. A part comes to what the run came to that went on from it.
SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true); -- over several servers: else no function may follow a table

ALTER TABLE job ADD COLUMN continued_state text; -- of a part that ended by being resized: the state of the run after it (jobs_resized.sql)

-- As 0040 has it; a fact of a job is also what its resized parts came to. Where nothing was resized the hash is that of before.
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
                                        cpus, accelerators, node_list, resource_id, heterogeneous_job_id,
                                        source)::text, 0)::numeric) AS hash
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
                         sum(hashtextextended(ROW(cluster, node, resource_id, accelerators, cpus, idle_pool, valid_from,
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

-- As 0012 has it: what runs on after it was resized has not succeeded, nor ended.
CREATE OR REPLACE VIEW job_run_group AS
WITH known AS (
    SELECT run_group, min(cluster) AS cluster, min(start_time) AS start_time,
           CASE WHEN bool_and(end_time IS NOT NULL AND came.state <> 'RUNNING') THEN max(end_time) END AS end_time,
           bool_or(outcome = 'productive' AND end_time IS NOT NULL AND came.state <> 'RUNNING') AS succeeded,
           (array_agg(job_name ORDER BY start_time, attempt_id))[1]  AS job_name,
           (array_agg(user_name ORDER BY start_time, attempt_id))[1] AS user_name,
           (array_agg(account ORDER BY start_time, attempt_id))[1]   AS account,
           (array_agg(partition ORDER BY start_time, attempt_id))[1] AS partition,
           (array_agg(qos ORDER BY start_time, attempt_id))[1]       AS qos,
           (array_agg(comment ORDER BY start_time, attempt_id))[1]   AS comment,
           (array_agg(attempt_id ORDER BY start_time, attempt_id))[1] AS first_attempt
    FROM job
    CROSS JOIN LATERAL (SELECT coalesce(continued_state, job.state)) AS came (state)
    JOIN job_state ON job_state.state = came.state
    WHERE start_time IS NOT NULL
    GROUP BY run_group
), ruled AS (
    SELECT known.*, rule.within_hours,
           concat_ws(E'\x1f', rule.priority, CASE WHEN rule.same LIKE 'job\_name%' THEN job_name ELSE family END,
                     CASE WHEN rule.same LIKE '%user' THEN user_name END) AS chain_key
    FROM known
    LEFT JOIN LATERAL (SELECT family FROM job_result WHERE job_result.attempt_id = first_attempt
                       ORDER BY statement_month DESC LIMIT 1) AS result ON true
    JOIN LATERAL (SELECT declared_run_group.*
                  FROM declared_run_group
                  JOIN (VALUES ('job_account', account), ('job_user', user_name), ('job_partition', partition),
                               ('job_name', job_name), ('job_comment', comment), ('job_qos', qos),
                               ('job_cluster', cluster)) AS attribute (match, value) USING (match)
                  WHERE value LIKE glob_to_like(pattern)
                    AND valid_from <= start_time::date AND start_time::date < valid_to
                    AND CASE WHEN same LIKE 'job\_name%' THEN job_name ELSE family END IS NOT NULL
                  ORDER BY priority, declared_run_group.valid_from LIMIT 1) AS rule ON true
), linked AS (
    SELECT ruled.*,
           coalesce(NOT lag(succeeded) OVER chain AND lag(end_time) OVER chain <= start_time
                    AND start_time - lag(end_time) OVER chain <= within_hours * interval '1 hour', false) AS goes_on
    FROM ruled
    WINDOW chain AS (PARTITION BY chain_key ORDER BY start_time, run_group)
), numbered AS (
    SELECT linked.*, count(*) FILTER (WHERE NOT goes_on) OVER (PARTITION BY chain_key ORDER BY start_time, run_group) AS chain_number
    FROM linked
)
SELECT job.attempt_id,
       coalesce(first_value(numbered.run_group) OVER (PARTITION BY chain_key, chain_number ORDER BY numbered.start_time, numbered.run_group),
                job.run_group) AS run_group
FROM job
LEFT JOIN numbered USING (run_group)
WHERE numbered.run_group IS NOT NULL
UNION ALL
SELECT job.attempt_id, job.run_group
FROM job
WHERE job.run_group NOT IN (SELECT run_group FROM ruled);

-- As 0027 has it, with the same.
CREATE OR REPLACE VIEW run_group_cost AS
SELECT run_group, min(start_time) AS first_start, max(end_time) AS last_end, statement_currency,
       count(DISTINCT attempt_id) AS attempts,
       count(DISTINCT attempt_id) FILTER (WHERE outcome = 'failed') AS failed_attempts,
       sum(true_cost_minor)::bigint AS true_cost_minor,
       coalesce(sum(true_cost_minor) FILTER (WHERE outcome <> 'productive'), 0)::bigint AS without_result_minor,
       CASE WHEN bool_or(end_time IS NULL OR state = 'RUNNING') THEN 'running'
            WHEN bool_or(outcome = 'productive') THEN 'succeeded'
            WHEN bool_and(outcome = 'cancelled') THEN 'cancelled'
            ELSE 'failed, no result' END AS result
FROM (SELECT attempt_id, job_run_group.run_group, job.start_time, job.end_time, job_state.state, job_state.outcome, true_cost_minor,
             statement_currency
      FROM job_result
      JOIN statement USING (statement_month)
      JOIN job USING (attempt_id)
      JOIN job_state ON job_state.state = coalesce(job.continued_state, job.state)
      JOIN job_run_group USING (attempt_id)) AS attempt
GROUP BY run_group, statement_currency;

-- Of what is on record already: a closed month in which the parts of a job that failed were productive is adjusted for it.
WITH resized AS MATERIALIZED (
    SELECT attempt_id, source, cluster, job_id_raw, end_time
    FROM job
    WHERE state_text LIKE '%RESIZ%' AND state = 'RUNNING' AND end_time IS NOT NULL
),
run_after AS MATERIALIZED (
    SELECT DISTINCT ON (resized.attempt_id) resized.attempt_id, job.state
    FROM resized
    JOIN job USING (source, cluster, job_id_raw)
    WHERE job.start_time >= resized.end_time AND job.attempt_id NOT IN (SELECT attempt_id FROM resized)
    ORDER BY resized.attempt_id, job.start_time, job.attempt_id
)
UPDATE job
SET continued_state = run_after.state
FROM run_after
WHERE job.attempt_id = run_after.attempt_id;

-- A fact of a month is also what a job held of each node, where that does not follow from its record: pods of Kubernetes come and
-- go. Without such holds the hash is that of before: nothing is replayed because of this migration alone.
CREATE OR REPLACE FUNCTION statement_facts(of_month date) RETURNS text
LANGUAGE sql STABLE
RETURN (
    WITH current AS (
        SELECT load.*, delivery.sha256, delivery.rejected_rows
        FROM kstar.load
        JOIN kstar.current_load USING (load_id)
        JOIN kstar.delivery USING (delivery_id)
        WHERE statement_month = of_month
    ), span AS (
        SELECT greatest(max(covered_to), (of_month + interval '1 month')::timestamptz) AS span_to
        FROM current
    ), fact AS (
        SELECT concat_ws(' ', 'load', source, billing_period, sha256, row_count, rejected_rows) AS what FROM current
        UNION ALL
        SELECT concat_ws(' ', 'jobs', count(*),
                         sum(hashtextextended(ROW(attempt_id, job_id, job_name, account, user_name, partition, qos, comment,
                                                  extract(epoch FROM start_time), extract(epoch FROM end_time), state, node_count,
                                                  cpus, accelerators, node_list, resource_id, heterogeneous_job_id,
                                                  source)::text, 0)::numeric))
        FROM kstar.job CROSS JOIN span
        WHERE start_time < span_to
        UNION ALL -- what a job held of its nodes where its record as a whole does not say it: pods come and go
        SELECT concat_ws(' ', 'holds', count(*),
                         sum(hashtextextended(ROW(attempt_id, node, extract(epoch FROM job_node.start_time), extract(epoch FROM job_node.end_time),
                                                  job_node.cpus, job_node.accelerators)::text, 0)::numeric))
        FROM kstar.job_node
        JOIN kstar.job USING (attempt_id)
        CROSS JOIN span
        WHERE job_node.start_time < span_to
          AND (job_node.start_time IS DISTINCT FROM job.start_time OR job_node.end_time IS DISTINCT FROM job.end_time
               OR job_node.cpus IS DISTINCT FROM round(job.cpus / nullif(job.node_count, 0), 6)
               OR job_node.accelerators IS DISTINCT FROM round(job.accelerators / nullif(job.node_count, 0), 6))
        HAVING count(*) > 0
        UNION ALL
        SELECT concat_ws(' ', 'horizon', source, extract(epoch FROM least(horizon, span_to)))
        FROM kstar.job_horizon CROSS JOIN span
        UNION ALL
        SELECT concat_ws(' ', 'nodes', count(*),
                         sum(hashtextextended(ROW(cluster, node, resource_id, accelerators, cpus, idle_pool, valid_from,
                                                  least(valid_to, span_to))::text, 0)::numeric))
        FROM kstar.node_inventory CROSS JOIN span
        WHERE valid_from < span_to
        UNION ALL -- the type of a node says what it costs where it is on no bill
        SELECT concat_ws(' ', 'node types', count(*),
                         sum(hashtextextended(ROW(cluster, node, resource_id, node_type, valid_from)::text, 0)::numeric))
        FROM kstar.node_inventory CROSS JOIN span
        WHERE valid_from < span_to AND cluster IN (SELECT cluster FROM kstar.node_rate)
        HAVING count(*) > 0
    )
    SELECT encode(sha256(convert_to(string_agg(what, E'\n' ORDER BY what COLLATE "C"), 'UTF8')), 'hex')
    FROM fact);

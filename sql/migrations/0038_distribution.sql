-- A database over several servers (docs/distributed.md). `kstar init --distributed` alone writes here; no row: it is on one server.
CREATE TABLE distributed_table (
    table_name       text PRIMARY KEY,
    distribution_key text             -- the column that says on which server a row lies; null: a copy on every server
);

-- A line and what became of it lie where its resource does. 0: a line without resource, a row that could not be read, and parts
-- that were published before this migration.
ALTER TABLE line_part ADD COLUMN resource_key bigint NOT NULL DEFAULT 0;

-- As 0034 has it, but for tables on several servers: those have statistics of their own, which their servers keep up, and a table
-- that was analysed in a transaction could no longer be joined with a temporary one in it.
CREATE OR REPLACE FUNCTION analyze_tables(VARIADIC table_names text[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY table_names LOOP
        CONTINUE WHEN to_regclass(quote_ident(name)) = to_regclass('kstar.' || quote_ident(name))
                      AND EXISTS (SELECT FROM kstar.distributed_table WHERE table_name = name);
        IF (SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass(quote_ident(name))) THEN
            EXECUTE format('ANALYZE %I', name);
        ELSE
            PERFORM kstar.analyze_as_owner(name);
        END IF;
    END LOOP;
END
$$;

-- Sets a value that SQL reads with current_setting until the transaction ends, as set_config does, and on the servers that take part in
-- the transaction as well (citus.propagate_set_commands in session.sql).
CREATE FUNCTION set_in_transaction(name text, value text) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SET LOCAL %s = %L', name, value);
    RETURN value;
END
$$;

-- As 0017 has it, in the language whose parameters queries on several servers can have.
CREATE OR REPLACE FUNCTION statement_facts(of_month date) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
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
END
$$;

-- On a worker: what merge/lines.sql and merge/holds.sql read besides the lines. Each table is
-- temporary, has the name of the table that it replaces, and is filled from the coordinator.
-- `reader` is the reader that a row is for; -1: all of them.
-- The tables are for this session: Citus is not to make them on other workers.
SELECT set_config('citus.enable_ddl_propagation', 'off', true);

CREATE TEMP TABLE current_chunk (reader integer, statement_month date, file_id integer, first_line bigint, chunk_id bigint, billing_period date)
    ON COMMIT DROP;
CREATE TEMP TABLE node_inventory (reader integer, cluster text, node text, resource_id text) ON COMMIT DROP;
CREATE TEMP TABLE job_node (reader integer, cluster text, node text, attempt_id bigint, start_time timestamptz, end_time timestamptz, cpus numeric,
                            accelerators numeric) ON COMMIT DROP;

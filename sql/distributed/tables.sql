-- Distributes the tables (docs/distributed.md): lines by resource, jobs and their held nodes by
-- job. Dimensions are on every server, so that lines can be joined with them there. The number of
-- shards is citus.shard_count.
INSERT INTO distributed_table (table_name, distribution_key) VALUES
    ('account', NULL), ('invoice', NULL), ('resource', NULL), ('sku', NULL), ('commitment', NULL), ('charge_kind', NULL),
    ('charge_description', NULL), ('tag_set', NULL), ('custom_columns', NULL),
    ('billing_line', 'node_hash'),
    ('job', 'attempt_id'), ('job_hold', 'attempt_id');

SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true);

-- Functions that queries call on the workers. The schema may have been created before the workers
-- existed.
SELECT create_distributed_function(oid::regprocedure)
FROM pg_proc
WHERE pronamespace = 'kstar'::regnamespace AND provolatile = 'i';

-- A distributed table cannot have these triggers (schema/05_jobs.sql). Nothing has been delivered
-- yet, and from now on all hours count as changed.
DROP FUNCTION note_job_change(), note_job_hold_change() CASCADE;

-- Each server summarises the new rows of its own tables in these indexes. Nothing else does it
-- (schema/05_jobs.sql).
ALTER INDEX job_by_time SET (autosummarize = on);
ALTER INDEX job_hold_by_time SET (autosummarize = on);

SELECT create_reference_table(table_name::regclass) FROM distributed_table WHERE distribution_key IS NULL;
SELECT create_distributed_table('billing_line', 'node_hash', colocate_with => 'none');
SELECT create_distributed_table('job', 'attempt_id', colocate_with => 'none');
SELECT create_distributed_table('job_hold', 'attempt_id', colocate_with => 'job');

-- Where tables are distributed, the month is still worked out on the coordinator, from a copy of
-- the jobs. The copy is temporary and has the name of the table, so the steps below read the copy,
-- as in a replay (close/shadow.sql). On one server they read the table itself.
DO $$
BEGIN
    IF EXISTS (SELECT FROM kstar.distributed_table WHERE table_name = 'job') THEN
        CREATE TEMP TABLE job ON COMMIT DROP AS SELECT * FROM kstar.job;
        CREATE INDEX ON pg_temp.job (attempt_id);
        ANALYZE pg_temp.job;
    END IF;
END
$$;

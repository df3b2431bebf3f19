-- Where tables are distributed, a month is still worked out here, where its working tables are: from a copy of the jobs, and into a
-- line_part of its own that is sent to the servers once, all together (06_apart_stored.sql). Both are temporary and stand before the
-- tables of the same name, as in a replay (close/shadow.sql). On one server the steps read and write the tables themselves.
DO $$
BEGIN
    IF EXISTS (SELECT FROM kstar.distributed_table WHERE table_name = 'job') THEN
        CREATE TEMP TABLE job ON COMMIT DROP AS SELECT * FROM kstar.job;
        CREATE INDEX ON pg_temp.job (attempt_id);
        ANALYZE pg_temp.job;
    END IF;
    IF EXISTS (SELECT FROM kstar.distributed_table WHERE table_name = 'line_part')
       AND to_regclass('pg_temp.line_part') IS NULL THEN
        CREATE TEMP TABLE line_part (LIKE kstar.line_part INCLUDING DEFAULTS) ON COMMIT DROP;
    END IF;
END
$$;

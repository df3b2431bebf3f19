-- Where tables are distributed, a month is still worked out here, where its working tables are:
-- from a copy of the jobs. It is temporary and stands before the table of the same name, as in a
-- replay (close/shadow.sql). On one server the steps read the table itself.
DO $$
BEGIN
    IF EXISTS (SELECT FROM kstar.distributed_table WHERE table_name = 'job') THEN
        CREATE TEMP TABLE job ON COMMIT DROP AS SELECT * FROM kstar.job;
        CREATE INDEX ON pg_temp.job (attempt_id);
        ANALYZE pg_temp.job;
    END IF;
END
$$;

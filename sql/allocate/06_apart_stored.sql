-- The parts that were worked out apart (01_apart.sql) go to the servers of their resources, in parallel.
DO $$
BEGIN
    IF EXISTS (SELECT FROM kstar.distributed_table WHERE table_name = 'line_part') THEN
        INSERT INTO kstar.line_part SELECT * FROM pg_temp.line_part;
    END IF;
END
$$;

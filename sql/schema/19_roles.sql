-- Least privilege (docs/security.md), and databases over several servers (docs/distributed.md).
-- Roles belong to the server and not to the database: `kstar init --roles` makes them, and
-- sql/roles/grant.sql says what each may do.

-- readers.csv: the cost centres that a role of the server sees in the views; '*': all, with
-- unallocated cost. Today's rows count, for closed months, too.
CREATE TABLE reader (
    database_role text NOT NULL,
    cost_centre   text NOT NULL,
    PRIMARY KEY (database_role, cost_centre)
);

-- The roles of this database: kstar_owner, kstar_ingest … for the prefix 'kstar'. No row: it has
-- none.
CREATE TABLE role_set (
    prefix  text NOT NULL,
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only)
);

-- The cost centres that the current role may see. Roles that work with the tables see all. So do
-- roles with the rights of the schema's owner, and in a database without roles everybody who may
-- read its views.
CREATE VIEW seen_cost_centre AS
SELECT reader.cost_centre
FROM reader
JOIN pg_roles ON rolname = database_role
WHERE pg_has_role(pg_roles.oid, 'USAGE')
UNION
SELECT '*'
FROM role_set
JOIN pg_roles ON rolname IN (prefix || '_owner', prefix || '_ingest', prefix || '_report')
WHERE pg_has_role(pg_roles.oid, 'USAGE')
UNION
SELECT '*'
FROM pg_namespace
WHERE nspname = 'kstar' AND pg_has_role(nspowner, 'USAGE')
UNION
SELECT '*'
-- with a column, because Citus keeps no result without one
WHERE NOT EXISTS (SELECT prefix FROM role_set);

-- The distributed tables of a database on several servers (docs/distributed.md). Only `kstar init
-- --distributed` writes here. No row: the database is on one server.
CREATE TABLE distributed_table (
    table_name       text PRIMARY KEY,
    -- the column that decides the server of a row; null: a copy on every server
    distribution_key text
);

-- Runs ANALYZE with the rights of the table's owner. Without them PostgreSQL skips the table
-- silently, and plans would be those of empty tables. The same holds for summaries of BRIN indexes:
-- until they are made, a newly published month is read as a whole.
CREATE FUNCTION analyze_as_owner(table_name text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = kstar, pg_catalog, pg_temp AS $$
BEGIN
    EXECUTE format('ANALYZE kstar.%I', table_name);
    PERFORM brin_summarize_new_values(indexrelid)
    FROM pg_index
    JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indrelid = format('kstar.%I', table_name)::regclass AND relam = (SELECT oid FROM pg_am WHERE amname = 'brin');
END
$$;

-- Analyses tables; a temporary table of the same name takes precedence (replays have some,
-- sql/close/shadow.sql). Distributed tables are skipped: their servers analyse them, and a table
-- that was analysed in a transaction could no longer be joined with a temporary one in it.
CREATE FUNCTION analyze_tables(VARIADIC table_names text[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY table_names LOOP
        IF to_regclass(quote_ident(name)) IS DISTINCT FROM to_regclass('kstar.' || quote_ident(name)) THEN
            EXECUTE format('ANALYZE %I', name);
        ELSIF NOT EXISTS (SELECT FROM kstar.distributed_table WHERE table_name = name) THEN
            PERFORM kstar.analyze_as_owner(name);
        END IF;
    END LOOP;
END
$$;

-- Each night replaces the statement of an open month. The replaced rows are to be removed on the
-- same day. By default PostgreSQL would wait until they are a fifth of a table of all years, and
-- readers of the month would read the rows of a week of nights.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY published_tables() LOOP
        EXECUTE format('ALTER TABLE %I SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000)', name);
    END LOOP;
END
$$;

-- Has a reader's condition on a column evaluated on the reader's own rows only. PostgreSQL
-- evaluates leakproof operators such as = and < below a security barrier and before row-level
-- security. But EXPLAIN ANALYZE counts the rows that match, and EXPLAIN estimates them from the
-- statistics of all rows, so a reader could guess names and amounts of others step by step. A
-- condition on the result of a volatile function is evaluated above the view.
CREATE FUNCTION as_shown(value anyelement) RETURNS anyelement
-- inlined after that has been decided, so it costs nothing
LANGUAGE sql VOLATILE PARALLEL SAFE AS 'SELECT value';

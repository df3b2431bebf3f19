-- Least privilege (docs/security.md), and databases over several servers (docs/distributed.md).
-- Roles belong to the server and not to the database: `kstar init --roles` makes them, and
-- sql/roles/grant.sql says what each may do.

-- readers.csv: which cost centres a role of the server sees in the views; '*': all, with
-- unallocated cost. Today's rows count, also for closed months.
CREATE TABLE reader (
    database_role text NOT NULL,
    cost_centre   text NOT NULL,
    PRIMARY KEY (database_role, cost_centre)
);

-- The roles of this database, once there are any: kstar_owner, kstar_ingest … for the prefix
-- 'kstar'.
CREATE TABLE role_set (
    prefix  text NOT NULL,
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only)
);

-- What whoever asks may see: by the roles whose rights he has at this moment. Those who work with
-- the tables see everything; so does whoever has the rights of the schema's owner, whatever roles
-- there are on this server, and whoever may read a view of a database that has no roles: nobody is
-- a reader there.
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
-- with a column: Citus keeps no result that has none
WHERE NOT EXISTS (SELECT prefix FROM role_set);

-- A database over several servers (docs/distributed.md). `kstar init --distributed` alone writes
-- here; no row: it is on one server.
CREATE TABLE distributed_table (
    table_name       text PRIMARY KEY,
    -- the column that says on which server a row lies; null: a copy on every server
    distribution_key text
);

-- ANALYZE is its owner's too, and anybody else's is silently left undone: plans would be those of
-- empty tables. So are the summaries of an index of stretches, and until they are made a month that
-- was just published is read whole.
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

-- A temporary table of the same name goes before (a replay works on those, sql/close/shadow.sql).
-- Tables on several servers have statistics of their own, which their servers keep up, and a table
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

-- Each night makes the statement of an open month anew. The rows that it replaces are removed the
-- same day. PostgreSQL would wait until they are a fifth of a table of all years: each reader of
-- the month would read the rows of a week of nights.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY published_tables() LOOP
        EXECUTE format('ALTER TABLE %I SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000)', name);
    END LOOP;
END
$$;

-- A reader's condition on a column is evaluated on the reader's own rows alone. PostgreSQL
-- evaluates leakproof operators such as = and < below a security barrier and before row-level
-- security. But EXPLAIN ANALYZE counts the rows that meet them, and EXPLAIN estimates them from
-- everybody's statistics, so a reader could guess the names and amounts of others step by step. A
-- column that a volatile function returns is compared above the view.
CREATE FUNCTION as_shown(value anyelement) RETURNS anyelement
-- inlined after that has been decided, so it costs nothing
LANGUAGE sql VOLATILE PARALLEL SAFE AS 'SELECT value';

-- What a reader asks of a column is asked of his own rows alone. Of = and < and their like PostgreSQL knows that they tell nobody what they
-- compare, so it works them out below a security barrier and before row-level security; but EXPLAIN ANALYZE counts the rows that meet them,
-- and EXPLAIN estimates them from everybody's statistics: guess by guess the names and amounts of others could be spelled out. A column that a
-- volatile function gives is compared above the view. The month is asked for below it, as before: it is what keeps a query short.
CREATE FUNCTION as_shown(value anyelement) RETURNS anyelement
LANGUAGE sql VOLATILE PARALLEL SAFE AS 'SELECT value'; -- inlined after that has been decided, so it costs nothing

DO $$
DECLARE
    shown   record;
    columns text;
BEGIN
    FOR shown IN
        SELECT oid, relname, rtrim(pg_get_viewdef(oid), ';') AS definition
        FROM pg_class
        WHERE relnamespace = 'kstar_views'::regnamespace AND relkind = 'v' AND relname <> 'report_month' -- its rows are for everybody
        ORDER BY relname
    LOOP
        SELECT string_agg(CASE attname WHEN 'statement_month' THEN 'statement_month'
                                       ELSE format('as_shown(%1$I)::%2$s AS %1$I', attname, format_type(atttypid, atttypmod)) END, ', ' ORDER BY attnum)
        INTO columns
        FROM pg_attribute
        WHERE attrelid = shown.oid AND attnum > 0;
        EXECUTE format('CREATE OR REPLACE VIEW kstar_views.%I WITH (security_barrier) AS SELECT %s FROM (%s) AS published',
                       shown.relname, columns, shown.definition);
    END LOOP;
END
$$;

-- For a database with roles: whether this server has all of them, and the first view that does not
-- belong to the role for which row-level security holds (sql/roles/own.sql), as may happen after a
-- restore. No row: the database has no roles.
SELECT (SELECT count(*) FROM pg_roles
        WHERE rolname IN (prefix || '_owner', prefix || '_views', prefix || '_ingest', prefix || '_report', prefix || '_reader')) = 5,
       (SELECT format('view kstar_views.%s belongs to %s, not to %s_views', relname, pg_get_userbyid(relowner), prefix)
        FROM pg_class
        JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname = 'kstar_views' AND relkind = 'v' AND pg_get_userbyid(relowner) <> prefix || '_views'
        ORDER BY relname
        LIMIT 1)
FROM kstar.role_set;

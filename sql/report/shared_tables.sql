-- The temporary tables of this session that sheets read (report/00_session.sql), for the writers
-- beside it.
SELECT quote_ident(relname)
FROM pg_class
WHERE relnamespace = pg_my_temp_schema() AND relkind = 'r' AND relname LIKE 'report\_%'
ORDER BY relname;

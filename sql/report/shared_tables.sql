-- The temporary tables of this session (report/00_session.sql), for the writers beside it.
SELECT quote_ident(relname)
FROM pg_class
WHERE relnamespace = pg_my_temp_schema() AND relkind = 'r'
ORDER BY relname;

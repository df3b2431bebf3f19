-- The temporary tables of this session that sheets read (report/00_session.sql), for the writers
-- beside it, and whether the planner knows more of one than its size: most need no more.
SELECT quote_ident(relname), reltuples >= 0
FROM pg_class
WHERE relnamespace = pg_my_temp_schema() AND relkind = 'r' AND relname LIKE 'report\_%'
ORDER BY relname;

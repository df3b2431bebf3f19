-- The temporary tables of this session that sheets read (report/00_session.sql), to be copied for
-- concurrent writers, and whether the planner has statistics of each. Most tables do without.
SELECT quote_ident(relname), reltuples >= 0
FROM pg_class
WHERE relnamespace = pg_my_temp_schema() AND relkind = 'r' AND relname LIKE 'report\_%'
ORDER BY relname;

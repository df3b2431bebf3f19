-- The tables to rewrite, each with its statement: names in it are quoted, for kstar_ingest could
-- write others than prune's own.
SELECT table_name, format('VACUUM (FULL, ANALYZE) kstar.%I', table_name)
FROM prune_rewrite
ORDER BY table_name;

-- The tables to rewrite, each with its SQL statement. Names are quoted: kstar_ingest could write
-- names into prune_rewrite that are not prune's.
SELECT table_name, format('VACUUM (FULL, ANALYZE) kstar.%I', table_name)
FROM prune_rewrite
ORDER BY table_name;

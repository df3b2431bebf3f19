-- The server processes that hold lock $1: 'publish' or 'ingest'.
SELECT coalesce(string_agg(pid::text, ', '), 'unknown')
FROM pg_locks
WHERE locktype = 'advisory' AND granted AND classid::bigint = hashtext('kstar')::bigint & 4294967295
  AND objid::bigint = hashtext($1)::bigint & 4294967295;

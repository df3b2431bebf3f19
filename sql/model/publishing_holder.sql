-- The server processes that hold the lock of publishing.
SELECT coalesce(string_agg(pid::text, ', '), 'unknown')
FROM pg_locks
WHERE locktype = 'advisory' AND granted AND classid::bigint = hashtext('kstar')::bigint & 4294967295;

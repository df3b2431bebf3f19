-- Releases the locks of publishing that the session has.
SELECT pg_advisory_unlock(hashtext('kstar'), hashtext(name))
FROM (VALUES ('ingest'), ('publish')) AS lock (name)
WHERE EXISTS (SELECT FROM pg_locks
              WHERE locktype = 'advisory' AND granted AND pid = pg_backend_pid()
                AND classid::bigint = hashtext('kstar')::bigint & 4294967295
                AND objid::bigint = hashtext(name)::bigint & 4294967295);

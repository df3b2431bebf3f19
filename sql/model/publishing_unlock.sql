-- Gives the lock of publishing back; nothing happens where the session does not have it.
SELECT CASE WHEN EXISTS (SELECT FROM pg_locks
                         WHERE locktype = 'advisory' AND granted AND pid = pg_backend_pid()
                           AND classid::bigint = hashtext('kstar')::bigint & 4294967295)
            THEN pg_advisory_unlock(hashtext('kstar'), hashtext('publish')) END;

-- Takes the lock of publishing until the transaction ends, or says which server process has it.
WITH attempt AS MATERIALIZED (
    SELECT pg_try_advisory_xact_lock(hashtext('kstar'), hashtext('publish')) AS taken
)
SELECT taken,
       (SELECT coalesce(string_agg(pid::text, ', '), 'unknown') FROM pg_locks
        WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid()
          AND classid::bigint = hashtext('kstar')::bigint & 4294967295)
FROM attempt;

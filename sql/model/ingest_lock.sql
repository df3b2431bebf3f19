-- Blocks deliveries for the session while a month on several servers is worked out. No snapshot
-- spans the servers: a delivery that is committed meanwhile could be visible on one of them and not
-- yet on another. On one server the snapshot is enough, and no lock is taken.
SELECT pg_advisory_lock(hashtext('kstar'), hashtext('ingest'))
WHERE EXISTS (SELECT FROM distributed_table);

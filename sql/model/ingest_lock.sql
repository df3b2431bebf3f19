-- Keeps deliveries out for the session while a month of several servers is worked out: no snapshot
-- spans them, and a delivery that is committed meanwhile could be seen on one of them and not yet
-- on another. On one server, whose snapshot is of one moment, nothing happens.
SELECT pg_advisory_lock(hashtext('kstar'), hashtext('ingest'))
WHERE EXISTS (SELECT FROM distributed_table);

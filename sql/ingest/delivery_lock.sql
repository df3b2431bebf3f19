-- One delivery of a kind ($1) and source ($2) at a time, until the end of the transaction; and none
-- while tables on several servers are published (model/ingest_lock.sql).
SELECT pg_advisory_xact_lock_shared(hashtext('kstar'), hashtext('ingest')),
       pg_advisory_xact_lock(hashtextextended('kstar delivery ' || $1::text || ' ' || $2::text, 0));

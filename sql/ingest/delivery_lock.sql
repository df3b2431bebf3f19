-- Lets in one delivery of a kind ($1) and source ($2) at a time, until the end of the transaction.
-- No delivery gets in while a month is published from tables on several servers
-- (model/ingest_lock.sql).
SELECT pg_advisory_xact_lock_shared(hashtext('kstar'), hashtext('ingest')),
       pg_advisory_xact_lock(hashtextextended('kstar delivery ' || $1::text || ' ' || $2::text, 0));

-- One delivery of a kind ($1) and source ($2) at a time, until the end of the transaction.
SELECT pg_advisory_xact_lock(hashtextextended('kstar delivery ' || $1::text || ' ' || $2::text, 0));

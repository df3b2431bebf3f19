-- One `kstar init` at a time in a database. 1802724722 is 'kstr' in ASCII; the second key says what
-- is locked: 1 the schema.
SELECT pg_advisory_lock(1802724722, 1);

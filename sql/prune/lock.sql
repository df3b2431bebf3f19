-- Waits for the deliveries that are being loaded: what they share with earlier ones must not go
-- under them. Bills and job records, all sources that ever delivered, as ingest/delivery_lock.sql
-- has it.
SELECT pg_advisory_xact_lock(hashtextextended('kstar delivery ' || kind || ' ' || source, 0))
FROM (SELECT DISTINCT kind, source FROM delivery WHERE kind IN ('billing', 'jobs') ORDER BY kind, source) AS delivered;

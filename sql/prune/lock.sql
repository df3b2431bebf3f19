-- Waits for deliveries that are being loaded, because pruning must not remove chunks that they
-- share with earlier deliveries. Locks bills and job records of all sources that ever delivered, as
-- ingest/delivery_lock.sql does.
SELECT pg_advisory_xact_lock(hashtextextended('kstar delivery ' || kind || ' ' || source, 0))
FROM (SELECT DISTINCT kind, source FROM delivery WHERE kind IN ('billing', 'jobs') ORDER BY kind, source) AS delivered;

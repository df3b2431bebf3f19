-- What status and metrics said of quarantined rows was what each label's latest delivery had once: rows that were replaced by another folder's
-- bill were reported for ever, though kstar ingest rejects lists none.

-- The deliveries whose rows kept aside still count: those that have a current load, and the latest of each label.
CREATE VIEW counting_delivery AS
SELECT delivery_id FROM load JOIN current_load USING (load_id)
UNION
SELECT max(delivery_id) FROM delivery GROUP BY kind, source, label;

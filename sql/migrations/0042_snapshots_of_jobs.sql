-- Jobs of Kubernetes come in snapshots: a job that was cancelled is in the next one no more, and one that is suspended is there and holds
-- nothing. Nothing took that for an end: both were charged for ever (sql/ingest/jobs_over.sql).
ALTER TABLE job ADD COLUMN seen_time timestamptz;   -- when the last snapshot that named it was made; null: it came in no snapshot
ALTER TABLE job ADD COLUMN object_kind text;        -- of the object that it was read from: batch/Job, Pod
ALTER TABLE job ADD COLUMN end_is_reckoned boolean NOT NULL DEFAULT false; -- no record tells of its end: snapshots have it no more

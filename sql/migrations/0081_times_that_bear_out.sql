-- One wrong Submit set the horizon of its source: a running job was charged up to it, and nothing awaited job records.
-- Now a Submit after the job's own Start is not used, and a time far beyond every other one sets no horizon
-- (ingest/jobs_time.sql, ingest/jobs_horizon.sql).
SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true); -- over several servers: else no function may follow a table

-- covered_from: the start of the run that reports covered_to; that time itself where no elapsed time confirms the run.
-- next_latest_time: the latest other time of the record.
ALTER TABLE job ADD COLUMN covered_from timestamptz, ADD COLUMN next_latest_time timestamptz;

-- How far from the source's next-latest time a time may be that sets a horizon.
CREATE OR REPLACE FUNCTION horizon_gap() RETURNS interval
LANGUAGE sql STABLE
RETURN make_interval(hours => coalesce((SELECT value::integer FROM setting WHERE parameter = 'horizon_gap_hours' ORDER BY valid_from DESC LIMIT 1), 24));

-- The records that are there. Which of them had an elapsed time of their own is not kept.
UPDATE job
SET submit_time = NULL,
    covered_to = greatest(start_time, end_time, CASE WHEN end_time IS NULL THEN start_time + make_interval(secs => elapsed_seconds) END)
WHERE submit_time > start_time;

UPDATE job
SET covered_from = CASE WHEN start_time IS NOT NULL AND (end_time IS NOT NULL OR elapsed_seconds > 0) THEN least(start_time, covered_to) ELSE covered_to END,
    next_latest_time = CASE WHEN start_time IS NOT NULL THEN submit_time END;

UPDATE job_horizon
SET horizon = extent.covered_to
FROM (SELECT source, max(covered_to) AS covered_to FROM job GROUP BY source) AS extent
WHERE extent.source = job_horizon.source AND extent.covered_to < horizon;

UPDATE job_listing
SET listed_to = horizon
FROM job_horizon
WHERE job_horizon.source = job_listing.source AND listed_to > horizon;

UPDATE job
SET told_to = horizon
FROM job_horizon
WHERE job_horizon.source = job.source AND told_to > horizon;

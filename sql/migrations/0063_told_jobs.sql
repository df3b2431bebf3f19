-- The horizon of a source was the latest time that any record had ever told: one end that was typed 2036, and put right the next night,
-- kept it for ten years, and idle nodes were charged where job records were still to come. It is what the records tell as they stand now.
SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true); -- over several servers: else no function may follow a table

ALTER TABLE job ADD COLUMN covered_to timestamptz; -- the last time that the record tells of (ingest/jobs_time.sql)

-- Of the records that are there, as far as they are kept: how long a run was suspended is not.
UPDATE job
SET covered_to = greatest(submit_time, start_time, end_time,
                          CASE WHEN end_time IS NULL THEN start_time + make_interval(secs => elapsed_seconds) END);

CREATE INDEX job_by_reach ON job (source, covered_to);

-- Samples measured in production (docs/mathematics.md, section 9), in the order of identities,
-- batches and jobs. A job counts if its record has that K (nodes or accelerators), no other run of
-- its id overlaps it, and it held its nodes alone. Controlled runs are rows without an attempt. If
-- no job was measured, there are no rows.
WITH sample AS MATERIALIZED (
    SELECT *
    FROM measurement
    WHERE job_id IS NOT NULL AND metric IN ('throughput', 'step_time')
), shared AS (
    SELECT mine.attempt_id
    FROM production_job AS ran
    JOIN production_hold AS mine USING (attempt_id)
    JOIN production_hold AS other ON other.cluster = mine.cluster AND other.node = mine.node AND other.attempt_id <> mine.attempt_id
                      AND other.start_time < mine.end_time AND other.end_time > mine.start_time
    UNION
    SELECT mine.attempt_id
    FROM production_job AS mine
    JOIN production_job AS other ON other.job_id = mine.job_id AND other.attempt_id <> mine.attempt_id
                     AND other.start_time <= mine.end_time AND other.end_time >= mine.start_time
), alone AS (
    SELECT *
    FROM production_job
    WHERE attempt_id NOT IN (SELECT attempt_id FROM shared)
      AND (resource_id IS NOT NULL OR attempt_id IN (SELECT attempt_id FROM production_hold))
), measured AS (
    SELECT sample.*, attempt_id
    FROM sample
    JOIN alone USING (job_id)
    WHERE measured_at BETWEEN start_time AND end_time AND k IN (node_count, accelerators)
    UNION ALL
    SELECT measurement.*, NULL
    FROM measurement
    WHERE job_id IS NULL AND metric IN ('throughput', 'step_time') AND model <> '' AND EXISTS (SELECT FROM production_job)
)
SELECT family, metric, accelerator, precision_name, model, sequence_length, software, batch, attempt_id, k, value,
       coalesce(extract(epoch FROM measured_at) / 86400, 0)::double precision AS day
FROM measured
ORDER BY family COLLATE "C", metric, accelerator COLLATE "C", precision_name COLLATE "C", model COLLATE "C", sequence_length COLLATE "C",
         software COLLATE "C", batch COLLATE "C", attempt_id, k, measured_at, file_id, line_number, run;

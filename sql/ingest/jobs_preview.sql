-- The job records that were read, in words: from the first start to the last end, and their
-- node-hours so far.
SELECT format('%s to %s, %s node-hours', to_char(min(start_time) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI'),
              to_char(max(coalesce(end_time, start_time)) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI'),
              round(coalesce(sum(node_count * extract(epoch FROM end_time - start_time) / 3600), 0), 1)) AS work
FROM staged_job
JOIN timed_job USING (record_number)
WHERE start_time IS NOT NULL AND problem IS NULL
HAVING count(*) > 0;

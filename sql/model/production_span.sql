-- When the jobs ran of which something was measured in production. Null: there are none.
SELECT min(start_time), max(coalesce(end_time, 'infinity'))
FROM kstar.job
WHERE job_id IN (SELECT job_id FROM measurement WHERE job_id IS NOT NULL AND metric IN ('throughput', 'step_time'));

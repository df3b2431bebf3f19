-- When the jobs ran of which something was measured in production. Null: there are none.
SELECT min(start_time), max(end_time)
FROM production_job;

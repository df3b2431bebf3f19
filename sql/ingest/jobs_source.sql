-- What sources.csv says of the job source $1, with the defaults of a source that it does not name.
--
-- limit_record_nodes, limit_file_nodes: how many names the node lists of a record and of a file may
-- have (settings.csv, the row with the latest valid_from).
-- horizon_gap, horizon: in microseconds; how far a time may be from others, and up to when the
-- source's records go so far (jobs_horizon.sql).
-- format, detected: null if sources.csv names none, and if none was detected.
-- clock_may_go_back: the zone has or had summer time; a wall clock in it can show an hour twice.
SELECT configured.format,
       coalesce(configured.time_zone, 'UTC') AS time_zone,
       configured.delimiter,
       coalesce(configured.time_zone, 'UTC') NOT IN ('UTC', 'Etc/UTC', 'Z', 'GMT') AS clock_may_go_back,
       coalesce((SELECT value FROM setting WHERE parameter = 'limit_record_nodes' ORDER BY valid_from DESC LIMIT 1), '65536')  AS limit_record_nodes,
       coalesce((SELECT value FROM setting WHERE parameter = 'limit_file_nodes' ORDER BY valid_from DESC LIMIT 1), '1000000') AS limit_file_nodes,
       (extract(epoch FROM horizon_gap()) * 1000000)::bigint AS horizon_gap,
       (SELECT extract(epoch FROM horizon) * 1000000 FROM job_horizon WHERE source = $1)::bigint AS horizon,
       (SELECT format FROM detected_format WHERE source = $1 AND kind = 'jobs') AS detected
FROM (SELECT) AS always
LEFT JOIN source_configuration AS configured ON source = $1 AND kind = 'jobs';

-- What sources.csv says of the job source $1, with the defaults of a source that it does not name.
-- clock_may_go_back: the zone has or had summer time; a wall clock in it can show an hour twice.
SELECT coalesce(configured.format, 'sacct')  AS format,
       coalesce(configured.time_zone, 'UTC') AS time_zone,
       configured.delimiter,
       coalesce(configured.time_zone, 'UTC') NOT IN ('UTC', 'Etc/UTC', 'Z', 'GMT') AS clock_may_go_back
FROM (SELECT) AS always
LEFT JOIN source_configuration AS configured ON source = $1 AND kind = 'jobs';

-- What sources.csv says of the node inventory of source $1. If it names no time zone, the zone of
-- the source's job records counts: both are Slurm's.
SELECT nodes.format, coalesce(nodes.time_zone, jobs.time_zone, 'UTC') AS time_zone, nodes.delimiter
FROM (SELECT) AS always
LEFT JOIN source_configuration AS nodes ON nodes.source = $1 AND nodes.kind = 'nodes'
LEFT JOIN source_configuration AS jobs ON jobs.source = $1 AND jobs.kind = 'jobs';

-- What sources.csv says of the source $1 of node inventory. Its clock is that of its job records
-- where it says nothing else: both are Slurm's.
SELECT nodes.format, coalesce(nodes.time_zone, jobs.time_zone, 'UTC') AS time_zone, nodes.delimiter
FROM (SELECT) AS always
LEFT JOIN source_configuration AS nodes ON nodes.source = $1 AND nodes.kind = 'nodes'
LEFT JOIN source_configuration AS jobs ON jobs.source = $1 AND jobs.kind = 'jobs';

-- Records up to when the files of source $1 that name every run report, for each cluster that this
-- file names. The time is at most the horizon of the source's records, which a corrected record may
-- have moved back.
INSERT INTO job_listing (source, cluster, listed_to)
SELECT $1, cluster, exported_to
FROM (SELECT DISTINCT cluster FROM delivered_job) AS named
CROSS JOIN file_extent
WHERE exported_to IS NOT NULL
ON CONFLICT (source, cluster) DO UPDATE
SET listed_to = least(greatest(job_listing.listed_to, excluded.listed_to),
                      (SELECT horizon FROM job_horizon WHERE job_horizon.source = excluded.source));

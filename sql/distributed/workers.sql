-- The workers that take shards, and whether the coordinator has registered the host name at which
-- workers connect to it.
SELECT count(*) FILTER (WHERE groupid <> 0 AND noderole = 'primary' AND isactive AND shouldhaveshards) AS workers,
       count(*) FILTER (WHERE groupid = 0) = 1                                                         AS knows_itself
FROM pg_dist_node;

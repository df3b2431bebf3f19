-- The workers that take shards, and whether the coordinator knows itself by a name that they reach
-- it by.
SELECT count(*) FILTER (WHERE groupid <> 0 AND noderole = 'primary' AND isactive AND shouldhaveshards) AS workers,
       count(*) FILTER (WHERE groupid = 0) = 1                                                         AS knows_itself
FROM pg_dist_node;

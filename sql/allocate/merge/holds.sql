-- Who held which node, from $3 to $4, for the nodes of reader $1 of $2 and in the order of the
-- lines. $5, if not null, restricts the rows to some places.
DECLARE month_holds NO SCROLL CURSOR FOR
SELECT place, cluster, node, attempt_id, job_node.start_time, job_node.end_time,
       coalesce(cpus * 1000000, -1)::bigint, coalesce(accelerators * 1000000, -1)::bigint
FROM job_node
JOIN (SELECT DISTINCT cluster, node, node_hash(resource_id) AS place FROM node_inventory) AS known USING (cluster, node)
WHERE job_node.start_time < $4::timestamptz
  AND (job_node.end_time IS NULL OR job_node.end_time > $3::timestamptz)
  AND (place & 2147483647) % $2::integer = $1::integer
  AND ($5::bigint[] IS NULL OR place = ANY ($5::bigint[]))
ORDER BY place, job_node.start_time, attempt_id

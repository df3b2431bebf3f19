-- Where the lines are that may be of the attempts in kstar.explain_attempts ("{1,2}"): lines that
-- name them, and those of nodes that they held.
SELECT coalesce(array_agg(DISTINCT coalesce(node_hash(resource_id), nullif(tag_set_key, 0), 0)), '{}')::text
FROM line_class
WHERE class_id IN (SELECT class_id FROM class_job WHERE attempt_id = ANY (current_setting('kstar.explain_attempts')::bigint[]))
   OR node_key IN (SELECT resource_key
                   FROM node_resource
                   JOIN job_node USING (cluster, node)
                   WHERE attempt_id = ANY (current_setting('kstar.explain_attempts')::bigint[]));

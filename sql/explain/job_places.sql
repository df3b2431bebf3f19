-- The places of lines that may be of the attempts $1 ("{1,2}"): lines of nodes that the attempts
-- held, of the job's own resource, and lines whose tag names the job.
WITH asked AS MATERIALIZED (
    SELECT attempt_id, job_id, job_id_raw, resource_id FROM job WHERE attempt_id = ANY ($1::bigint[])
), naming AS MATERIALIZED (
    SELECT tag_set_key
    FROM tag_set
    CROSS JOIN month
    WHERE tags ->> job_tag_key IN (SELECT job_id FROM asked UNION SELECT job_id_raw FROM asked)
)
SELECT coalesce(array_agg(DISTINCT place), '{}')::text
FROM (SELECT node_hash(resource_id) FROM asked WHERE resource_id IS NOT NULL
      UNION ALL
      SELECT node_hash(node_inventory.resource_id)
      FROM job_node
      JOIN node_inventory USING (cluster, node)
      WHERE attempt_id = ANY ($1::bigint[])
      UNION ALL
      SELECT node_hash
      FROM current_chunk
      JOIN month USING (statement_month)
      JOIN billing_line USING (chunk_id, billing_period)
      WHERE tag_set_key IN (SELECT tag_set_key FROM naming)
        AND billing_line.billing_period BETWEEN (SELECT statement_month FROM month) AND (SELECT last_day FROM month)) AS line (place);

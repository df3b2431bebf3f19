-- The time that jobs held nodes. It is read once, and each row goes to the reader of its node.
COPY (SELECT reader, cluster, node, attempt_id, start_time, end_time, cpus, accelerators
      FROM job_node
      JOIN routed_node USING (cluster, node)
      WHERE start_time < lines_to AND (end_time IS NULL OR end_time > lines_from)) TO STDOUT;

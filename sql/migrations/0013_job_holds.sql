-- A job's pods come and go: an attempt may hold a node more than once, each time with a share of its own.
ALTER TABLE job_node DROP CONSTRAINT job_node_pkey;
ALTER TABLE job_node ADD PRIMARY KEY (attempt_id, node, start_time);

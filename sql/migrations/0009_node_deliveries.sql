-- Node inventory as it is delivered (docs/nodes.md): what Slurm or Kubernetes say of their nodes, kept as it was told, and from it
-- and nodes.csv the inventory that allocation reads.

-- A source may deliver bills, jobs and nodes under one name.
ALTER TABLE source_configuration
    DROP CONSTRAINT source_configuration_pkey,
    DROP CONSTRAINT source_configuration_kind_check,
    ADD PRIMARY KEY (source, kind),
    ADD CHECK (kind IN ('billing', 'jobs', 'nodes', 'efficiency'));
ALTER TABLE delivery
    DROP CONSTRAINT delivery_kind_check,
    ADD CHECK (kind IN ('billing', 'jobs', 'nodes', 'efficiency'));

-- nodes.csv. It wins where it and a delivery speak of the same node or resource.
CREATE TABLE declared_node (LIKE node_inventory INCLUDING ALL);
INSERT INTO declared_node SELECT * FROM node_inventory;

-- node_types.csv: what a delivered node has that its delivery does not say. '': nodes of a type that no other row names.
CREATE TABLE node_type (
    cluster      text NOT NULL,
    node_type    text NOT NULL DEFAULT '',
    accelerators integer,
    cpus         integer,
    idle_pool    text,
    PRIMARY KEY (cluster, node_type)
);

-- Nodes as told. A history has both ends; a snapshot says what there was at a time, and the end comes from the first
-- snapshot of the source in which the node is gone. A row once told as history stays what the history says.
CREATE TABLE delivered_node (
    source       text NOT NULL,
    cluster      text NOT NULL,
    node         text NOT NULL,
    resource_id  text NOT NULL,
    start_time   timestamptz NOT NULL,
    end_time     timestamptz,         -- of a history; null: not known to have ended
    last_seen    timestamptz,         -- the latest snapshot that has it
    is_history   boolean NOT NULL,
    node_type    text,
    accelerators integer,
    cpus         integer,
    delivery_id  integer NOT NULL,    -- what said it last
    file_id      integer NOT NULL,
    line_number  bigint NOT NULL,
    PRIMARY KEY (source, cluster, node, resource_id, start_time)
);
CREATE TABLE node_snapshot (
    source      text NOT NULL,
    taken_at    timestamptz NOT NULL,
    delivery_id integer NOT NULL,
    PRIMARY KEY (source, taken_at)
);

-- What allocation reads; made anew by ingest/nodes_resolve.sql whenever one of the above has changed.
ALTER TABLE node_inventory ADD COLUMN source text;
COMMENT ON COLUMN node_inventory.source IS 'who delivered it; null: nodes.csv';

-- The files behind a statement: those that said something of a node as well.
CREATE OR REPLACE VIEW used_file AS
WITH used AS (
    SELECT statement_month, delivery_id FROM statement_load JOIN load USING (load_id, statement_month)
    UNION
    SELECT adjustment.statement_month, delivery_id
    FROM adjustment JOIN load ON load.statement_month = adjusted_month JOIN current_load USING (load_id)
    UNION
    SELECT statement_month, delivery_id FROM job_result JOIN job USING (attempt_id)
    UNION
    SELECT statement_month, delivery_id FROM statement CROSS JOIN measurement
    UNION
    SELECT statement_month, delivery_id
    FROM statement
    JOIN delivered_node ON start_time < (statement_month + interval '1 month')::timestamptz
                       AND coalesce(end_time, 'infinity') > statement_month::timestamptz
)
SELECT statement_month, kind, label || '/' || path AS path, source_file.sha256, bytes
FROM used JOIN delivery USING (delivery_id) JOIN source_file USING (delivery_id)
UNION ALL
SELECT statement_month, 'reference', 'reference/' || name, sha256, NULL
FROM statement CROSS JOIN reference_file;

-- Nodes as Slurm, Kubernetes and nodes.csv report them (docs/nodes.md).

-- Nodes as delivered. A history has the start and end of each node. A snapshot has the nodes of one
-- moment: a node ends at the first snapshot of its source in which it is missing. Once a history
-- has delivered a row, snapshots do not change it.
CREATE TABLE delivered_node (
    source       text NOT NULL,
    cluster      text NOT NULL,
    node         text NOT NULL,
    resource_id  text NOT NULL,
    start_time   timestamptz NOT NULL,
    end_time     timestamptz,      -- of a history; null: not known to have ended
    last_seen    timestamptz,      -- the latest snapshot that has it
    is_history   boolean NOT NULL,
    node_type    text,
    accelerators integer,
    cpus         integer,
    -- the zone in which its clock times were read; null: the file says its times in UTC
    clock_zone   text,
    delivery_id  integer NOT NULL, -- the delivery that reported it last
    PRIMARY KEY (source, cluster, node, resource_id, start_time)
);

-- The snapshots that a source has delivered.
CREATE TABLE node_snapshot (
    source      text NOT NULL,
    taken_at    timestamptz NOT NULL,
    delivery_id integer NOT NULL,
    PRIMARY KEY (source, taken_at)
);

-- The nodes that allocation reads: nodes.csv and the delivered nodes together.
-- ingest/nodes_resolve.sql makes the table again when one of them has changed.
CREATE TABLE node_inventory (
    LIKE declared_node INCLUDING ALL,
    source text -- who delivered it; null: nodes.csv
);

-- The records of a node delivery before they are stored. The table goes with the transaction. Times
-- are wall clocks of the source's zone, or UTC if has_offset.
CREATE TEMPORARY TABLE staged_node (
    line         bigint NOT NULL,
    cluster      text NOT NULL,
    node         text NOT NULL,
    resource_id  text NOT NULL,
    node_type    text,
    accelerators integer,
    cpus         integer,
    start_clock  timestamp NOT NULL,
    end_clock    timestamp,
    has_offset   boolean NOT NULL,
    seen_at      timestamptz
) ON COMMIT DROP;

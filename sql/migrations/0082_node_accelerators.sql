-- node_accelerators.csv: what accelerator a node has, by its type, and what accelerator a type of the scheduler's is.
-- '' as cluster or node type: of those that no other row names; a row with the type goes first. '' as the scheduler's
-- type: the row is one of nodes. A choice like any other: frozen with its statement. A month that was closed before has
-- no row, so nobody knows what its jobs ran on.
CREATE TABLE node_accelerator (
    cluster     text NOT NULL DEFAULT '',
    node_type   text NOT NULL DEFAULT '',
    gres_type   text NOT NULL DEFAULT '',
    accelerator text NOT NULL, -- as measurements have it
    valid_from  date NOT NULL DEFAULT '-infinity',
    valid_to    date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (cluster, node_type, gres_type, valid_from)
);

DO $$
BEGIN
    EXECUTE format('CREATE OR REPLACE FUNCTION choice_tables() RETURNS text[] LANGUAGE sql IMMUTABLE RETURN %L::text[]',
                   choice_tables() || ARRAY['node_accelerator']);
END
$$;

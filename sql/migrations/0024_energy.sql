-- Energy and carbon (docs/energy.md): what the nodes drew for each attempt, and what the grid emitted for it. A second axis beside
-- money, which it does not move.

-- node_power.csv. '' as cluster or node type: of those that no other row names; a row with the type goes first.
CREATE TABLE node_power (
    cluster       text NOT NULL DEFAULT '',
    node_type     text NOT NULL DEFAULT '',
    watts_at_load numeric NOT NULL CHECK (watts_at_load >= 0), -- a node, its accelerators included, while a job holds it
    watts_idle    numeric NOT NULL CHECK (watts_idle >= 0),    -- while nobody does
    valid_from    date NOT NULL DEFAULT '-infinity',
    valid_to      date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (cluster, node_type, valid_from)
);

-- grid_intensity.csv, by day.
CREATE TABLE grid_intensity (
    cluster       text NOT NULL DEFAULT '',
    grams_per_kwh numeric NOT NULL CHECK (grams_per_kwh >= 0), -- CO2e
    pue           numeric NOT NULL DEFAULT 1 CHECK (pue >= 1), -- what the building draws ÷ what its nodes draw
    valid_from    date NOT NULL DEFAULT '-infinity',
    valid_to      date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (cluster, valid_from)
);

-- Choices like any other: frozen with their statement.
DO $$
DECLARE
    choice text;
BEGIN
    EXECUTE format('CREATE OR REPLACE FUNCTION choice_tables() RETURNS text[] LANGUAGE sql IMMUTABLE RETURN %L::text[]',
                   choice_tables() || ARRAY['node_power', 'grid_intensity']);
    FOREACH choice IN ARRAY ARRAY['node_power', 'grid_intensity'] LOOP
        EXECUTE format($sql$
            CREATE VIEW stated_%1$s AS
            SELECT statement_month, (jsonb_populate_record(NULL::%1$I, content)).*
            FROM frozen_reference
            WHERE table_name = %1$L
            UNION ALL
            SELECT statement_month, choice.*
            FROM statement CROSS JOIN %1$I AS choice
            WHERE status = 'Preliminary'$sql$, choice);
    END LOOP;
END
$$;

-- Published with the statement, and only where node_power.csv has a row in force in its month. Every figure is rounded once, half
-- up, to 6 places, from an exact sum; totals are sums of them.
CREATE TABLE job_energy (
    statement_month       date NOT NULL,
    attempt_id            bigint NOT NULL,
    cost_centre           text,             -- null: nobody's
    node_hours            numeric NOT NULL, -- whose power is known
    unpowered_node_hours  numeric NOT NULL, -- whose power is not: no energy of them is counted
    kwh                   numeric NOT NULL, -- PUE included
    kwh_without_intensity numeric NOT NULL, -- the part of it for which no grid intensity is known: PUE 1, no carbon
    kg_co2e               numeric NOT NULL,
    PRIMARY KEY (statement_month, attempt_id)
);

-- What nodes drew that were there and that no job held.
CREATE TABLE idle_energy (
    statement_month       date NOT NULL,
    pool                  text NOT NULL,    -- '': none
    cluster               text NOT NULL,
    node_hours            numeric NOT NULL,
    unpowered_node_hours  numeric NOT NULL,
    kwh                   numeric NOT NULL,
    kwh_without_intensity numeric NOT NULL,
    kg_co2e               numeric NOT NULL,
    PRIMARY KEY (statement_month, pool, cluster)
);

-- Whether energy is shown for a month: then every workbook of it has its sheet and its columns.
CREATE FUNCTION energy_is_stated(of_month date) RETURNS boolean
LANGUAGE sql STABLE
RETURN EXISTS (SELECT FROM job_energy WHERE statement_month = of_month)
    OR EXISTS (SELECT FROM idle_energy WHERE statement_month = of_month);

-- The K that takes the least energy for a result: smallest K · T(K), whatever nodes and hours cost.
ALTER TABLE family_fit ADD COLUMN k_carbon integer;

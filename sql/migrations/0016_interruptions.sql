-- What interrupts jobs (design 7): spot capacity is taken away and nodes fail. Runs that write checkpoints take longer by
-- 1 + sqrt(2 × checkpoint × K × rate) + K × rate × restart, which moves K*.

-- interruptions.csv: by family ('': of those that no other row names) and by what the job runs on.
CREATE TABLE interruption (
    family             text NOT NULL DEFAULT '',
    capacity           text NOT NULL CHECK (capacity IN ('on demand', 'spot')),
    rate_per_node_hour text NOT NULL, -- a decimal, or 'measured': node failures ÷ node-hours
    checkpoint_hours   numeric NOT NULL DEFAULT 0 CHECK (checkpoint_hours >= 0), -- writing one checkpoint
    restart_hours      numeric NOT NULL DEFAULT 0 CHECK (restart_hours >= 0),    -- from an interruption to running again
    valid_from         date NOT NULL DEFAULT '-infinity',
    valid_to           date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (family, capacity, valid_from)
);

-- A choice like any other: frozen with its statement.
DO $$
BEGIN
    EXECUTE format('CREATE OR REPLACE FUNCTION choice_tables() RETURNS text[] LANGUAGE sql IMMUTABLE RETURN %L::text[]',
                   choice_tables() || ARRAY['interruption']);
END
$$;

-- The rates that each statement's K* were found at. A family and capacity without a row is not interrupted.
CREATE TABLE family_interruption (
    statement_month    date NOT NULL,
    family             text NOT NULL,
    capacity           text NOT NULL CHECK (capacity IN ('on demand', 'spot')),
    rate_per_node_hour double precision NOT NULL,
    rate_per_k_hour    double precision NOT NULL, -- in the family's unit
    rate_from          text NOT NULL,             -- 'declared', 'measured', 'prior', 'measured, few failures', 'nothing to measure'
    failures           bigint,                    -- of a measured rate: attempts that a failing node ended …
    node_hours         numeric,                   -- … and the node-hours of all attempts, in the trailing window
    checkpoint_hours   double precision NOT NULL,
    restart_hours      double precision NOT NULL,
    PRIMARY KEY (statement_month, family, capacity)
);

-- What most of the family's hardware of the month was.
ALTER TABLE family_fit ADD COLUMN capacity text CHECK (capacity IN ('on demand', 'spot'));

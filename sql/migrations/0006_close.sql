-- Closing a statement, and what late facts do to closed ones (docs/close.md). A closed statement's published rows
-- stay as they are. When its facts change it is replayed with its frozen rules, aside, and the difference stands as
-- prior-period adjustments in the earliest open statement, computed anew every night.

-- One row per closed statement, in the order in which they were closed.
CREATE TABLE closure (
    statement_month date PRIMARY KEY REFERENCES statement,
    close_number    integer GENERATED ALWAYS AS IDENTITY UNIQUE,
    closed_by       text NOT NULL,
    accepted        text,            -- why a close went ahead with node cost awaiting job records; null: it did not have to
    facts_sha256    text NOT NULL    -- of the lines, job records and node inventory that the statement was made of
);

-- The rules in force when a statement was closed: every row of the reference tables that hold choices, as JSON.
CREATE TABLE frozen_reference (
    statement_month date NOT NULL REFERENCES closure,
    table_name      text NOT NULL,
    content         jsonb NOT NULL
);
CREATE INDEX frozen_reference_table ON frozen_reference (statement_month, table_name);

-- What a closed statement would say with the facts of today: the latest replay of it, added up. A month whose facts
-- are those of its close has none: it would say what it says.
CREATE TABLE replay (
    statement_month date PRIMARY KEY REFERENCES closure,
    facts_sha256    text NOT NULL
);
CREATE TABLE replayed_cell (
    statement_month date NOT NULL REFERENCES replay ON DELETE CASCADE,
    source          text,            -- null: off the bill
    line_type       text NOT NULL CHECK (line_type IN ('charge', 'unallocated', 'balance sheet', 'prepaid', 'unexplained')),
    cost_centre     text,            -- of a charge
    component       text REFERENCES component,
    subject         text NOT NULL,   -- of another line: reason, account, commitment, service or carrier's transfer; else ''
    gl_account      text,
    minor_units     bigint NOT NULL
);
CREATE INDEX replayed_cell_month ON replayed_cell (statement_month);

-- Prior-period adjustments: the second block of a statement, from replays alone. Within (statement_month,
-- adjusted_month, source): Σ minor_units = invoices as replayed − as frozen − adjustments of closed statements; off the bill 0.
CREATE TABLE adjustment (
    statement_month date NOT NULL,   -- the statement that carries it: the earliest open one
    adjusted_month  date NOT NULL REFERENCES closure, -- the closed statement that it corrects
    source          text,
    line_type       text NOT NULL,
    cost_centre     text,
    component       text REFERENCES component,
    subject         text NOT NULL,
    gl_account      text,
    frozen_minor    bigint NOT NULL, -- as closed
    adjusted_minor  bigint NOT NULL, -- in closed statements since
    replayed_minor  bigint NOT NULL, -- as it would be today
    minor_units     bigint NOT NULL  -- replayed − frozen − adjusted
);
CREATE INDEX adjustment_month ON adjustment (statement_month, adjusted_month);

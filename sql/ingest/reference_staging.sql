-- Reference files before they are stored, until all of them are read and checked. The tables go
-- with the transaction.

-- One row per row of a CSV. `record` holds its fields as text. `line` is null for a row in force of
-- a file that is not staged.
CREATE TEMPORARY TABLE staged_reference (
    file   text NOT NULL,
    line   bigint,
    key    text,
    record jsonb NOT NULL
) ON COMMIT DROP;

CREATE TEMPORARY TABLE staged_reference_file (
    file       text PRIMARY KEY,
    table_name text NOT NULL,
    path       text NOT NULL,
    sha256     text NOT NULL
) ON COMMIT DROP;

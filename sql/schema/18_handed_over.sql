-- Which workbooks have been handed to the owners of cost centres (kstar deliver). Not part of a
-- statement: nothing published reads it.

-- A version of a workbook that was handed to a place. The transaction that hands it over writes the
-- row. Only the last version at a place counts, so an earlier version that comes back is handed
-- over again. A row Withdrawn says that the owner was informed of a charge that was withdrawn
-- (kstar deliver --informed). It has no version, and SHA-256 '', so the workbook is handed over
-- again if the statement has it again.
CREATE TABLE handed_over (
    statement_month date NOT NULL,
    cost_centre     text NOT NULL,
    destination     text NOT NULL,    -- mail:ADDRESS or directory:FOLDER
    sha256          text NOT NULL,    -- of the workbook: the same bytes are the same version
    status          text NOT NULL CHECK (status IN ('Preliminary', 'Final', 'Withdrawn')),
    run_id          text NOT NULL,
    file_name       text NOT NULL,
    handed_at       timestamptz NOT NULL DEFAULT now(),
    handing         integer NOT NULL, -- 1, 2 … of a month's workbook to a destination
    PRIMARY KEY (statement_month, cost_centre, destination, handing)
);

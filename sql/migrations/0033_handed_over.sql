-- Which workbooks have been handed to the owners of cost centres (kstar deliver): a row for each version of a workbook and
-- each place that it went to, put in the transaction that hands it over. Not part of a statement: nothing published reads it.
CREATE TABLE handed_over (
    statement_month date NOT NULL,
    cost_centre     text NOT NULL,
    destination     text NOT NULL, -- mail:ADDRESS or directory:FOLDER
    sha256          text NOT NULL, -- of the workbook: the same bytes are the same version
    status          text NOT NULL CHECK (status IN ('Preliminary', 'Final')),
    run_id          text NOT NULL,
    file_name       text NOT NULL,
    handed_at       timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (statement_month, cost_centre, destination, sha256)
);

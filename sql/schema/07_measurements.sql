-- Measurements: how long a job or a family takes on how many nodes.

-- Rows of efficiency/*.csv (docs/formats.md). A file replaces the earlier delivery with the same
-- label.
CREATE TABLE measurement (
    delivery_id    integer NOT NULL REFERENCES delivery ON DELETE CASCADE,
    file_id        integer NOT NULL,
    line_number    bigint NOT NULL,
    run            integer NOT NULL DEFAULT 1, -- a row that names logs has several
    family         text NOT NULL,
    -- not null: measured on this job alone. A throughput or step_time of a job is measured in
    -- production, and accelerator to measured_at are then filled
    job_id         text,
    k              integer NOT NULL CHECK (k >= 1),
    metric         text NOT NULL CHECK (metric IN ('run_time', 'throughput', 'step_time', 'efficiency', 'compute_share')),
    value          double precision NOT NULL CHECK (value > 0),
    scaling        text NOT NULL CHECK (scaling IN ('strong', 'weak')),
    accelerator    text NOT NULL DEFAULT '',
    precision_name text NOT NULL DEFAULT '',
    batch          text NOT NULL DEFAULT '',
    model          text NOT NULL DEFAULT '',   -- and its configuration
    sequence_length text NOT NULL DEFAULT '',
    software       text NOT NULL DEFAULT '',
    measured_at    timestamptz,
    method         text,
    -- compute_share only: shares of the rest of the step, if known, and where they are from:
    -- 'trace' or 'samples'
    exposed_communication double precision CHECK (exposed_communication BETWEEN 0 AND 1),
    idle           double precision CHECK (idle BETWEEN 0 AND 1),
    other          double precision CHECK (other BETWEEN 0 AND 1),
    shares_from    text CHECK (shares_from IN ('trace', 'samples')),
    PRIMARY KEY (file_id, line_number, run),
    CHECK (num_nulls(exposed_communication, idle, other, shares_from) IN (0, 4) AND (shares_from IS NULL OR metric = 'compute_share'))
);

-- Measurements are looked up by job or by family. By hash, because names from outside may be too
-- long for a B-tree.
CREATE INDEX measurement_of_job ON measurement USING hash (job_id) WHERE job_id IS NOT NULL;
CREATE INDEX measurement_of_family ON measurement USING hash (family) WHERE job_id IS NULL;

-- Measurements: how long a job or a family takes on how many nodes.

-- efficiency/*.csv as delivered (docs/formats.md). A file replaces what an earlier delivery of the
-- same label held.
CREATE TABLE measurement (
    delivery_id    integer NOT NULL REFERENCES delivery ON DELETE CASCADE,
    file_id        integer NOT NULL,
    line_number    bigint NOT NULL,
    run            integer NOT NULL DEFAULT 1, -- a row that names logs stands for several runs
    family         text NOT NULL,
    -- set: measured on this job alone. Its throughput or step_time is of production, and has all of
    -- accelerator to measured_at
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
    -- of compute_share: what the rest of the step is, as shares of it, if that is known, and from
    -- where: 'trace' or 'samples'
    exposed_communication double precision CHECK (exposed_communication BETWEEN 0 AND 1),
    idle           double precision CHECK (idle BETWEEN 0 AND 1),
    other          double precision CHECK (other BETWEEN 0 AND 1),
    shares_from    text CHECK (shares_from IN ('trace', 'samples')),
    PRIMARY KEY (file_id, line_number, run),
    CHECK (num_nulls(exposed_communication, idle, other, shares_from) IN (0, 4) AND (shares_from IS NULL OR metric = 'compute_share'))
);

-- Measurements of jobs are asked for by the job, those of families by the family. By hash: a name
-- from outside may be too long for a B-tree.
CREATE INDEX measurement_of_job ON measurement USING hash (job_id) WHERE job_id IS NOT NULL;
CREATE INDEX measurement_of_family ON measurement USING hash (family) WHERE job_id IS NULL;

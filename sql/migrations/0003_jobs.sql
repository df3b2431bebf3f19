-- Jobs and measurements. A job is one attempt; a later record of the same attempt replaces the earlier one.

CREATE TABLE job (
    attempt_id     bigint PRIMARY KEY, -- hash of (source, cluster, job_id_raw, attempt_mark)
    source         text NOT NULL,
    cluster        text NOT NULL,
    job_id         text NOT NULL,      -- as shown: 123, 123_7, 123+0
    job_id_raw     text NOT NULL,
    attempt_mark   text NOT NULL,      -- what tells attempts of one job apart: Submit (every column set has it), else SLUID, DBIndex
    run_group      text NOT NULL,      -- attempts at the same result
    job_name       text,
    account        text,
    user_name      text,
    partition      text,
    qos            text,
    wckey          text,
    comment        text,
    submit_time    timestamptz,
    eligible_time  timestamptz,
    start_time     timestamptz,        -- null: never started
    end_time       timestamptz,        -- null: still running at the horizon, or never started
    elapsed_seconds bigint NOT NULL,   -- as the scheduler counts it: suspended time left out; 0 if never started
    state          text NOT NULL,      -- base state: COMPLETED, FAILED, …, UNKNOWN
    state_text     text NOT NULL,      -- as delivered: 'CANCELLED by 380693'
    exit_code      text,
    node_count     integer NOT NULL,   -- K: nodes allocated, 0 if never started
    cpus           numeric,            -- allocated, all nodes together
    accelerators   numeric,            -- allocated, all nodes together; null: the record does not say
    node_list      text,
    resource_id    text,               -- a managed job's own cloud resource
    array_job_id   text,
    array_task_id  text,
    heterogeneous_job_id text,
    heterogeneous_offset integer,
    provisional    boolean NOT NULL,   -- still running: charged up to the source's horizon
    delivery_id    integer NOT NULL,
    file_id        integer NOT NULL,
    line_number    bigint NOT NULL
);
CREATE INDEX job_by_time ON job (start_time, end_time);
CREATE INDEX job_by_raw_id ON job (job_id_raw);

-- Which node an attempt held and when: [start_time, end_time), end null while running. cpus and accelerators are the
-- attempt's on this node (its total divided by its nodes where the record says no more).
CREATE TABLE job_node (
    attempt_id   bigint NOT NULL REFERENCES job ON DELETE CASCADE,
    cluster      text NOT NULL,
    node         text NOT NULL,
    start_time   timestamptz NOT NULL,
    end_time     timestamptz,
    cpus         numeric(18,6),
    accelerators numeric(18,6),
    PRIMARY KEY (attempt_id, node)
);
CREATE INDEX job_node_by_node ON job_node (cluster, node, start_time);

-- The last time that a job source's records cover. Derived from the records: the latest submit, start, end, and
-- start + elapsed of running jobs.
CREATE TABLE job_horizon (
    source  text PRIMARY KEY,
    horizon timestamptz NOT NULL
);

-- efficiency/*.csv as delivered (docs/formats.md). A file replaces what an earlier delivery of the same label held.
CREATE TABLE measurement (
    delivery_id integer NOT NULL REFERENCES delivery ON DELETE CASCADE,
    file_id     integer NOT NULL,
    line_number bigint NOT NULL,
    run         integer NOT NULL DEFAULT 1, -- a row that names logs stands for several runs
    family      text NOT NULL,
    job_id      text,                -- set: measured on this job alone
    k           integer NOT NULL CHECK (k >= 1),
    metric      text NOT NULL CHECK (metric IN ('run_time', 'throughput', 'step_time', 'efficiency', 'compute_share')),
    value       double precision NOT NULL CHECK (value > 0),
    scaling     text NOT NULL CHECK (scaling IN ('strong', 'weak')),
    accelerator text NOT NULL DEFAULT '',
    precision_name text NOT NULL DEFAULT '',
    batch       text NOT NULL DEFAULT '',
    measured_at timestamptz,
    method      text,
    PRIMARY KEY (file_id, line_number, run)
);

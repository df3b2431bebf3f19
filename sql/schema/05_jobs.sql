-- Jobs, and the nodes that they held.

-- What a final state means for the attempt's hardware.
CREATE TABLE job_state (
    state   text PRIMARY KEY,
    outcome text NOT NULL CHECK (outcome IN ('productive', 'failed', 'cancelled', 'not started'))
);

INSERT INTO job_state (state, outcome) VALUES
    ('COMPLETED', 'productive'), ('RUNNING', 'productive'), ('SUSPENDED', 'productive'),
    ('FAILED', 'failed'), ('NODE_FAIL', 'failed'), ('OUT_OF_MEMORY', 'failed'), ('TIMEOUT', 'failed'),
    ('PREEMPTED', 'failed'), ('REQUEUED', 'failed'), ('BOOT_FAIL', 'failed'), ('DEADLINE', 'failed'),
    ('REVOKED', 'failed'),
    ('CANCELLED', 'cancelled'), ('PENDING', 'not started'),
    ('UNKNOWN', 'productive');       -- a state we do not know loses no hours; it is reported

-- A job is one attempt; a later record of the same attempt replaces the earlier one.
CREATE TABLE job (
    -- when it was submitted, roughly, and a hash of (source, cluster, job_id_raw, attempt_mark):
    -- ingest/jobs/job_staging.c
    attempt_id            bigint PRIMARY KEY,
    source                text NOT NULL,
    cluster               text NOT NULL,
    job_id                text NOT NULL,                  -- as shown: 123, 123_7, 123+0
    job_id_raw            text NOT NULL,
    -- distinguishes attempts of one job: Submit (every column set has it), else SLUID, DBIndex
    attempt_mark          text NOT NULL,
    run_group             text NOT NULL,                  -- attempts at the same result
    job_name              text,
    account               text,
    user_name             text,
    partition             text,
    qos                   text,
    wckey                 text,
    comment               text,
    submit_time           timestamptz,
    eligible_time         timestamptz,
    start_time            timestamptz,                    -- null: never started
    -- null: still running at the horizon, or never started
    end_time              timestamptz,
    -- as the scheduler counts it: without suspended time; 0 if never started
    elapsed_seconds       bigint NOT NULL,
    -- base state: COMPLETED, FAILED, …, UNKNOWN
    state                 text NOT NULL,
    state_text            text NOT NULL,                  -- as delivered: 'CANCELLED by 380693'
    exit_code             text,
    node_count            integer NOT NULL,               -- K: nodes allocated, 0 if never started
    cpus                  numeric,                        -- allocated, all nodes together
    -- allocated, all nodes together; null: the record does not say
    accelerators          numeric,
    node_list             text,
    resource_id           text,                           -- a managed job's own cloud resource
    array_job_id          text,
    array_task_id         text,
    heterogeneous_job_id  text,
    heterogeneous_offset  integer,
    -- still running: charged up to the source's horizon
    provisional           boolean NOT NULL,
    -- when the last snapshot that named it was made; null: it came in no snapshot
    seen_time             timestamptz,
    -- of the object that it was read from: batch/Job, Pod
    object_kind           text,
    -- its end is in no record: snapshots have it no more
    end_is_reckoned       boolean NOT NULL DEFAULT false,
    -- of a part that ended by being resized: the state of the run after it (jobs_resized.sql)
    continued_state       text,
    -- the record lists what was allocated, and no accelerators among it
    lists_no_accelerators boolean NOT NULL DEFAULT false,
    -- the latest time in the record (ingest/jobs_time.sql)
    covered_to            timestamptz,
    -- of a run under way: the time of the last export that named it; null: none did
    exported_to               timestamptz,
    -- and when a later run of its job began, by which it was over
    followed_at           timestamptz,
    -- start of the run that reports covered_to; covered_to itself where no elapsed time confirms it
    covered_from          timestamptz,
    next_latest_time      timestamptz,                    -- the latest other time of the record
    -- what the scheduler calls them, 'a100,h100'; null: the record does not say of all of them
    accelerator_types     text,
    -- of what the record says that the row was made of; null: not to be compared
    record_hash           bigint
);
-- Records come in the order of time, so that a summary of each stretch of the table does, here
-- and of job_hold: B-trees of so many rows would cost each delivery a second. A statement
-- summarises what is new (analyze_tables); if PostgreSQL did it by itself, a delivery of a whole
-- month would fill its queue and then its log. Runs under way have an index of their own: a summary
-- keeps an empty end_time after the run has ended.
CREATE INDEX job_by_time ON job USING brin (start_time, end_time) WITH (pages_per_range = 16);
CREATE INDEX job_under_way ON job (attempt_id) WHERE end_time IS NULL;
CREATE INDEX job_by_covered_to ON job (source, covered_to);
CREATE INDEX job_by_raw_id ON job (job_id_raw);
CREATE INDEX job_by_shown_id ON job USING hash (job_id) WHERE job_id <> job_id_raw;
CREATE INDEX job_by_heterogeneous_id ON job (heterogeneous_job_id, attempt_id) WHERE heterogeneous_job_id IS NOT NULL;
CREATE INDEX job_by_resource ON job USING hash (lower(resource_id)) WHERE resource_id IS NOT NULL;
CREATE INDEX job_with_accelerators ON job (cluster, start_time) WHERE accelerators > 0;

-- The last delivery that had an attempt's record, and its line. Each night brings the accounting
-- file of the month with one more day. If a record has no new values, this row is all that is
-- written.
CREATE TABLE job_place (
    attempt_id  bigint PRIMARY KEY,
    delivery_id integer NOT NULL, -- the last one with the values that job has
    line_number bigint NOT NULL
-- half of a page is room for the next night's rows, in the place of which the night after writes
) WITH (fillfactor = 45);

-- Which nodes an attempt held and when: [start_time, end_time), end null while running. Nodes that
-- are held alike are one row: a million holds of a month are a tenth as many rows. A node with
-- times of its own is a row of its own, for each time that it was held: a job's pods come and go.
-- cpus and accelerators are the attempt's on each node (its total divided by its nodes where the
-- record says no more). No foreign key: to look each attempt up takes longer than to store its
-- nodes, and an attempt is never removed.
CREATE TABLE job_hold (
    attempt_id   bigint NOT NULL,
    start_time   timestamptz NOT NULL,
    end_time     timestamptz,
    cluster      text NOT NULL,
    cpus         numeric(18,6),
    accelerators numeric(18,6),
    nodes        text[] NOT NULL CHECK (cardinality(nodes) > 0)
);
CREATE UNIQUE INDEX job_hold_first_node ON job_hold (attempt_id, start_time, (nodes[1]));

CREATE INDEX job_hold_by_time ON job_hold USING brin (start_time, end_time) WITH (pages_per_range = 16);

-- The same, node by node, without a nested loop: plans that forbid those read it, too.
CREATE VIEW job_node AS
SELECT attempt_id, cluster, unnest(nodes) AS node, start_time, end_time, cpus, accelerators
FROM job_hold;

-- The clusters of which a source has delivered records. No record is ever deleted, and its source
-- and cluster are what it is known by.
CREATE TABLE job_cluster (
    source  text NOT NULL,
    cluster text NOT NULL,
    PRIMARY KEY (source, cluster)
);

-- The last time that a job source's records cover. Derived from the records: the latest submit,
-- start, end, and start + elapsed of running jobs.
CREATE TABLE job_horizon (
    source  text PRIMARY KEY,
    horizon timestamptz NOT NULL
);

-- How far from the source's next-latest time a time may be that sets a horizon.
CREATE FUNCTION horizon_gap() RETURNS interval
LANGUAGE sql STABLE
RETURN make_interval(hours => coalesce((SELECT value::integer FROM setting WHERE parameter = 'horizon_gap_hours' ORDER BY valid_from DESC LIMIT 1), 24));

-- Up to when a source's exports of a cluster name every run of their time (job_format.h,
-- lists_runs).
CREATE TABLE job_listing (
    source    text NOT NULL,
    cluster   text NOT NULL,
    listed_to timestamptz NOT NULL,
    PRIMARY KEY (source, cluster)
);

-- Whether a run under way is missing from later exports. A cluster may come in several files a
-- night, each with some of its runs: a file that was made within six hours of the last one that
-- named the run says nothing.
CREATE FUNCTION is_missing_later(exported_to timestamptz, listed_to timestamptz) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(exported_to + interval '6 hours' < listed_to, false);

-- Up to when a run under way is charged. Null: to its source's horizon.
CREATE FUNCTION known_to(exported_to timestamptz, followed_at timestamptz, listed_to timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE
RETURN least(followed_at, CASE WHEN is_missing_later(exported_to, listed_to) THEN exported_to END);

-- Job records are facts of every closed month (facts_of_months). They are added up by the hour in
-- which they start, and again where something has changed since.
CREATE TABLE job_tally (
    hour      timestamptz PRIMARY KEY,
    attempts  numeric NOT NULL,
    hash      numeric, -- of the attempts that start in it; null: none
    holds     numeric NOT NULL,
    -- of what begins in it and is held otherwise than the attempt's record as a whole says
    hold_hash numeric
);

-- Whole hours in which something has changed since they were added up. Rows are added and taken
-- away, never changed: a delivery and a night beside it do not wait for each other, and a night
-- takes away what it has seen.
CREATE TABLE job_change (
    span tstzrange NOT NULL
);

INSERT INTO job_change (span) VALUES ('[-infinity, infinity)');

-- The tallies of what begins in a span, by the hour.
CREATE FUNCTION job_tallies(span_from timestamptz, span_to timestamptz) RETURNS SETOF job_tally
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    WITH begun AS (
        SELECT date_trunc('hour', start_time, 'UTC') AS hour, count(*) AS attempts,
               sum(hashtextextended(ROW(attempt_id, job_id, job_name, account, user_name, partition, qos, comment,
                                        extract(epoch FROM start_time), extract(epoch FROM end_time), coalesce(continued_state, state), node_count,
                                        cpus, accelerators, lists_no_accelerators, accelerator_types, node_list, resource_id, heterogeneous_job_id,
                                        source, wckey)::text, 0)::numeric) AS hash
        FROM kstar.job
        WHERE start_time >= span_from AND start_time < span_to
        GROUP BY 1
    ), held AS (
        SELECT date_trunc('hour', job_hold.start_time, 'UTC') AS hour, count(*) AS holds,
               sum(hashtextextended(ROW(attempt_id, node, extract(epoch FROM job_hold.start_time), extract(epoch FROM job_hold.end_time),
                                        job_hold.cpus, job_hold.accelerators)::text, 0)::numeric) AS hold_hash
        FROM kstar.job_hold
        JOIN kstar.job USING (attempt_id)
        CROSS JOIN unnest(nodes) AS node
        WHERE job_hold.start_time >= span_from AND job_hold.start_time < span_to
          AND (job_hold.start_time IS DISTINCT FROM job.start_time OR job_hold.end_time IS DISTINCT FROM job.end_time
               OR job_hold.cpus IS DISTINCT FROM round(job.cpus / nullif(job.node_count, 0), 6)
               OR job_hold.accelerators IS DISTINCT FROM round(job.accelerators / nullif(job.node_count, 0), 6))
        GROUP BY 1
    )
    SELECT coalesce(begun.hour, held.hour), coalesce(attempts, 0)::numeric, hash, coalesce(holds, 0)::numeric, hold_hash
    FROM begun FULL JOIN held ON held.hour = begun.hour;
END
$$;

-- A hold is compared with its attempt's record, so a record that changes asks for all hours in
-- which its nodes may have been taken.
CREATE FUNCTION note_job_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO kstar.job_change (span)
    SELECT unnest(range_agg(tstzrange(date_trunc('hour', start_time, 'UTC'),
                                      date_trunc('hour', coalesce(end_time, 'infinity'), 'UTC') + interval '1 hour')))
    FROM changed_row
    WHERE start_time IS NOT NULL;
    RETURN NULL;
END
$$;

-- The same for job_hold: the hours in which the changed holds start.
CREATE FUNCTION note_job_hold_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO kstar.job_change (span)
    SELECT unnest(range_agg(tstzrange(hour, hour + interval '1 hour')))
    FROM (SELECT DISTINCT date_trunc('hour', start_time, 'UTC') AS hour FROM changed_row) AS touched;
    RETURN NULL;
END
$$;

-- A table on several servers has no triggers (distributed/tables.sql): there all hours count as
-- changed for ever.
CREATE TRIGGER job_inserted AFTER INSERT ON job REFERENCING NEW TABLE AS changed_row
    FOR EACH STATEMENT EXECUTE FUNCTION note_job_change();
CREATE TRIGGER job_updated_from AFTER UPDATE ON job REFERENCING OLD TABLE AS changed_row
    FOR EACH STATEMENT EXECUTE FUNCTION note_job_change();
CREATE TRIGGER job_updated AFTER UPDATE ON job REFERENCING NEW TABLE AS changed_row
    FOR EACH STATEMENT EXECUTE FUNCTION note_job_change();
CREATE TRIGGER job_deleted AFTER DELETE ON job REFERENCING OLD TABLE AS changed_row
    FOR EACH STATEMENT EXECUTE FUNCTION note_job_change();
CREATE TRIGGER job_hold_inserted AFTER INSERT ON job_hold REFERENCING NEW TABLE AS changed_row
    FOR EACH STATEMENT EXECUTE FUNCTION note_job_hold_change();
CREATE TRIGGER job_hold_updated_from AFTER UPDATE ON job_hold REFERENCING OLD TABLE AS changed_row
    FOR EACH STATEMENT EXECUTE FUNCTION note_job_hold_change();
CREATE TRIGGER job_hold_updated AFTER UPDATE ON job_hold REFERENCING NEW TABLE AS changed_row
    FOR EACH STATEMENT EXECUTE FUNCTION note_job_hold_change();
CREATE TRIGGER job_hold_deleted AFTER DELETE ON job_hold REFERENCING OLD TABLE AS changed_row
    FOR EACH STATEMENT EXECUTE FUNCTION note_job_hold_change();

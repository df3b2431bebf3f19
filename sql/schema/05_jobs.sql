-- Job records, and the nodes that jobs held.

-- The outcome of each state, which decides the component of the attempt's hardware.
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
    ('UNKNOWN', 'productive');       -- an unknown state: its hours are charged, and it is reported

-- One attempt of a job. A later record of the same attempt replaces the earlier one.
CREATE TABLE job (
    -- made of the submit time and a hash of (source, cluster, job_id_raw, attempt_mark):
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
    -- by the scheduler's count, without suspended time; 0 if never started
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
    -- time of the last snapshot that lists it; null: no snapshot does
    seen_time             timestamptz,
    -- the kind of Kubernetes object that the record is of: batch/Job, Pod
    object_kind           text,
    -- no record has its end: it is missing from later snapshots
    end_is_reckoned       boolean NOT NULL DEFAULT false,
    -- of a part of a resized job: the state of the run that followed (jobs_resized.sql)
    continued_state       text,
    -- the record lists what was allocated, and accelerators are not among it
    lists_no_accelerators boolean NOT NULL DEFAULT false,
    -- the latest time in the record (ingest/jobs_time.sql)
    covered_to            timestamptz,
    -- running jobs only: the time of the last export that lists the job; null: no export did
    exported_to               timestamptz,
    -- running jobs only: when a later run of the job began, so that this one must have ended
    followed_at           timestamptz,
    -- start of the run whose record has covered_to; covered_to itself if no elapsed time confirms
    -- it
    covered_from          timestamptz,
    next_latest_time      timestamptz,                    -- the latest other time of the record
    -- the scheduler's names, 'a100,h100'; null: the record does not name all of them
    accelerator_types     text,
    -- hash of the values that the row was made from; null: not to be compared
    record_hash           bigint
);
-- Records are stored in order of time, so summaries (BRIN) of stretches of the table find them,
-- here and in job_hold. B-trees of so many rows would make each delivery a second slower. A
-- statement summarises new stretches (analyze_tables). If PostgreSQL did so by itself, the delivery
-- of a whole month would fill its queue and then its log. Running jobs have an index of their own,
-- because a summary keeps an empty end_time after the job has ended.
CREATE INDEX job_by_time ON job USING brin (start_time, end_time) WITH (pages_per_range = 16);
CREATE INDEX job_under_way ON job (attempt_id) WHERE end_time IS NULL;
CREATE INDEX job_by_covered_to ON job (source, covered_to);
CREATE INDEX job_by_raw_id ON job (job_id_raw);
CREATE INDEX job_by_shown_id ON job USING hash (job_id) WHERE job_id <> job_id_raw;
CREATE INDEX job_by_heterogeneous_id ON job (heterogeneous_job_id, attempt_id) WHERE heterogeneous_job_id IS NOT NULL;
CREATE INDEX job_by_resource ON job USING hash (lower(resource_id)) WHERE resource_id IS NOT NULL;
CREATE INDEX job_with_accelerators ON job (cluster, start_time) WHERE accelerators > 0;

-- The last delivery with the attempt's record, and its line. Each night delivers the accounting
-- file of the month again, with one more day. If a record has no new values, only this row is
-- written.
CREATE TABLE job_place (
    attempt_id  bigint PRIMARY KEY,
    delivery_id integer NOT NULL, -- the last one with the values in table job
    line_number bigint NOT NULL
-- half of each page is free, so the next night's rows fit beside the old ones, and the night after
-- reuses their space
) WITH (fillfactor = 45);

-- Which nodes an attempt held, and when: [start_time, end_time), with end_time null while it runs.
-- Nodes that were held for the same time with the same resources are one row; this saves nine rows
-- of ten. A node with a time of its own has a row for each such time, as the pods of a job come and
-- go. cpus and accelerators are the attempt's on each node: its total ÷ its nodes, if the record
-- has no more detail. No foreign key, because looking up each attempt would take longer than
-- storing its nodes, and attempts are never removed.
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

-- The same, one row for each node. `unnest` in the list of columns needs no nested loop, so plans
-- that forbid nested loops can read it.
CREATE VIEW job_node AS
SELECT attempt_id, cluster, unnest(nodes) AS node, start_time, end_time, cpus, accelerators
FROM job_hold;

-- The clusters in a source's records. Rows are never deleted, because records are not, and a record
-- never changes its source or cluster.
CREATE TABLE job_cluster (
    source  text NOT NULL,
    cluster text NOT NULL,
    PRIMARY KEY (source, cluster)
);

-- The horizon of a source: the time up to which its job records cover. It is the latest of all
-- submit, start and end times, and of start + elapsed of running jobs.
CREATE TABLE job_horizon (
    source  text PRIMARY KEY,
    horizon timestamptz NOT NULL
);

-- A time may set the horizon only if another time of the source lies within this interval before
-- it.
CREATE FUNCTION horizon_gap() RETURNS interval
LANGUAGE sql STABLE
RETURN make_interval(hours => coalesce((SELECT value::integer FROM setting WHERE parameter = 'horizon_gap_hours' ORDER BY valid_from DESC LIMIT 1), 24));

-- Up to when the exports of a source list every run of a cluster (job_format.h, lists_runs).
CREATE TABLE job_listing (
    source    text NOT NULL,
    cluster   text NOT NULL,
    listed_to timestamptz NOT NULL,
    PRIMARY KEY (source, cluster)
);

-- Whether a running job is missing from later exports. A cluster may be exported in several files a
-- night, each with some of its runs. So a file that was made within six hours of the last one that
-- lists the run proves nothing.
CREATE FUNCTION is_missing_later(exported_to timestamptz, listed_to timestamptz) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(exported_to + interval '6 hours' < listed_to, false);

-- Up to when a running job is charged. Null: up to the horizon of its source.
CREATE FUNCTION known_to(exported_to timestamptz, followed_at timestamptz, listed_to timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE
RETURN least(followed_at, CASE WHEN is_missing_later(exported_to, listed_to) THEN exported_to END);

-- Job records summed by the hour of their start, to find out whether they changed since a month was
-- closed (facts_of_months). Only hours in which something changed are summed again.
CREATE TABLE job_tally (
    hour      timestamptz PRIMARY KEY,
    attempts  numeric NOT NULL,
    hash      numeric, -- of attempts that start in this hour; null: none
    holds     numeric NOT NULL,
    -- of holds that begin in this hour and differ from what the attempt's record says as a whole
    hold_hash numeric
);

-- Hours in which something has changed since they were summed. Rows are only inserted and deleted,
-- never updated, so a delivery and a night do not wait for each other. A night deletes the rows
-- that it has seen.
CREATE TABLE job_change (
    span tstzrange NOT NULL
);

INSERT INTO job_change (span) VALUES ('[-infinity, infinity)');

-- The sums of what begins in a span, by the hour.
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

-- Notes all hours of an attempt whose record changed. Its holds are compared with the record, and
-- they may begin in any of these hours.
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

-- Notes the hours in which changed holds begin.
CREATE FUNCTION note_job_hold_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO kstar.job_change (span)
    SELECT unnest(range_agg(tstzrange(hour, hour + interval '1 hour')))
    FROM (SELECT DISTINCT date_trunc('hour', start_time, 'UTC') AS hour FROM changed_row) AS touched;
    RETURN NULL;
END
$$;

-- Distributed tables have no triggers (distributed/tables.sql): all of their hours always count as
-- changed.
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

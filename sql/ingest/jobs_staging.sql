-- The records of a job delivery before they are stored. The tables go with the transaction.

-- The records as read. Times are wall clocks of the source's zone, or UTC if has_offset.
CREATE TEMPORARY TABLE staged_job (
    -- from 1, in the order of the file; a line may have several
    record_number        bigint NOT NULL,
    line                 bigint NOT NULL,
    attempt_id           bigint NOT NULL, -- of (source, cluster, job_id_raw, attempt_mark)
    resize_attempt_id    bigint NOT NULL, -- of the same with resize_mark
    attempt_mark         text NOT NULL,
    resize_mark          text NOT NULL,   -- attempt_mark and the start
    cluster              text NOT NULL,
    job_id               text NOT NULL,
    job_id_raw           text NOT NULL,
    job_name             text,
    account              text,
    user_name            text,
    partition            text,
    qos                  text,
    wckey                text,
    comment              text,
    submit_clock         timestamp,
    eligible_clock       timestamp,
    start_clock          timestamp,
    end_clock            timestamp,
    has_offset           boolean NOT NULL,
    started              boolean NOT NULL,
    ended                boolean NOT NULL,
    elapsed_seconds      bigint,          -- null: end less start and suspension
    suspended_seconds    bigint NOT NULL,
    state                text NOT NULL,
    state_text           text NOT NULL,
    exit_code            text,
    node_count           integer NOT NULL,
    listed_nodes         integer NOT NULL,
    cpus                 bigint,
    accelerators         bigint,
    node_list            text,
    array_job_id         text,
    array_task_id        text,
    heterogeneous_job_id text,
    heterogeneous_offset integer,
    resource_id          text,
    run_group            text,            -- as declared; null: the attempts of a job are a group
    -- the kind of the object in a snapshot that it was read from
    object_kind          text,
    -- it has the nodes of the moment of its snapshot: a later record may name fewer
    holds_are_seen       boolean NOT NULL,
    seen_clock           timestamp,        -- when the snapshot was made, UTC
    -- since when as many of its workers are seen as it has
    all_seen_clock       timestamp,
    lists_no_accelerators boolean NOT NULL, -- it lists what was allocated, without a device
    -- as the scheduler names them, "a100,h100"; null: it does not name all of them
    accelerator_types    text,
    -- hash of the record (ingest/jobs/job_staging.c); null: its nodes come from a snapshot
    record_hash          bigint,
    -- as in the file, kept if its times may have no meaning in the zone
    raw                  bytea
) ON COMMIT DROP;

-- The nodes of started jobs, in byte order. A row is either the names in node_list, each once, held
-- as long as the attempt and all alike, or one node with its own times and share.
CREATE TEMPORARY TABLE staged_job_node (
    record_number bigint NOT NULL,
    nodes         text[] NOT NULL,
    start_time    timestamptz,
    end_time      timestamptz, -- if start_time is set: null while the node is held
    cpus          bigint,
    accelerators  bigint
) ON COMMIT DROP;

-- The kinds of objects, by namespace, that a snapshot shows completely, and when it was made.
CREATE TEMPORARY TABLE staged_scope (
    name_space text NOT NULL,
    kind       text NOT NULL,
    seen_time  timestamptz
) ON COMMIT DROP;

-- Jobs of a snapshot that could not be read. They exist all the same.
CREATE TEMPORARY TABLE staged_unread (
    job_id_raw text NOT NULL
) ON COMMIT DROP;

-- The same records with points in time. start_time null: never started; end_time null: still
-- running (or never started).
CREATE TEMPORARY TABLE timed_job (
    record_number bigint PRIMARY KEY,
    attempt_id    bigint NOT NULL,
    submit_time   timestamptz,
    eligible_time timestamptz,
    start_time    timestamptz,
    end_time      timestamptz,
    elapsed_seconds bigint NOT NULL,
    covered_to    timestamptz, -- the latest time that the record reports
    covered_from  timestamptz, -- since when its run reports covered_to
    next_latest_time timestamptz, -- the latest other time: jobs_time.sql
    problem       text         -- why its times have no meaning: jobs_unplaced.sql
) ON COMMIT DROP;

-- The record that stands for each attempt of this delivery.
CREATE TEMPORARY TABLE chosen_job (
    attempt_id    bigint PRIMARY KEY,
    record_number bigint NOT NULL,
    attempt_mark  text NOT NULL
) ON COMMIT DROP;

-- The attempts that stay as they are when a delivery is read again (jobs_kept.sql).
CREATE TEMPORARY TABLE kept_job (
    attempt_id bigint PRIMARY KEY
) ON COMMIT DROP;

-- The started attempts of a source of snapshots, as known before this delivery: those under way,
-- and those that the delivery names.
CREATE TEMPORARY TABLE known_run (
    attempt_id  bigint PRIMARY KEY,
    job_id_raw  text NOT NULL,
    name_space  text NOT NULL,
    object_kind text,
    seen_to     timestamptz NOT NULL, -- when the last delivery that named it was made
    is_running  boolean NOT NULL
) ON COMMIT DROP;

-- The attempts of known_run that hold nothing any more (jobs_over.sql).
CREATE TEMPORARY TABLE run_over (
    attempt_id bigint PRIMARY KEY,
    held_to    timestamptz NOT NULL,
    seen_time  timestamptz,           -- when this snapshot saw it; null: it did not
    state      text,                  -- its final state; null: it waits for nodes and goes on
    state_text text,
    is_gone    boolean NOT NULL
) ON COMMIT DROP;

-- The started attempts of a source without an end. This is a table so that the planner knows how
-- many there are.
CREATE TEMPORARY TABLE open_run (
    attempt_id  bigint PRIMARY KEY,
    cluster     text NOT NULL,
    job_id_raw  text NOT NULL,
    start_time  timestamptz NOT NULL,
    delivery_id integer NOT NULL,
    line_number bigint NOT NULL
) ON COMMIT DROP;

-- Up to when the file reports: one row.
CREATE TEMPORARY TABLE file_extent (
    exported_to timestamptz
) ON COMMIT DROP;

-- Records that bring nothing new, the attempts in job that they equal, and columns for the counts
-- of those records that jobs_unchanged.sql takes out of staged_job.
CREATE TEMPORARY TABLE unchanged_job (
    record_number     bigint NOT NULL,
    line              bigint NOT NULL,
    attempt_id        bigint NOT NULL,
    attempt_mark      text NOT NULL,
    cluster           text NOT NULL,
    job_id            text NOT NULL,
    job_id_raw        text NOT NULL,
    start_time        timestamptz,
    end_time          timestamptz,
    elapsed_seconds   bigint NOT NULL,
    suspended_seconds bigint NOT NULL,
    state             text NOT NULL,
    state_text        text NOT NULL,
    node_count        integer NOT NULL,
    listed_nodes      integer NOT NULL,
    covered_to        timestamptz,
    next_latest_time  timestamptz
) ON COMMIT DROP;

-- Every record of the delivery, whether it brings something new or not.
CREATE TEMPORARY VIEW delivered_job AS
SELECT cluster, job_id, job_id_raw, start_time, end_time, timed_job.elapsed_seconds, suspended_seconds, state, state_text, node_count, listed_nodes,
       covered_to, next_latest_time
FROM staged_job
JOIN timed_job USING (record_number)
UNION ALL
SELECT cluster, job_id, job_id_raw, start_time, end_time, elapsed_seconds, suspended_seconds, state, state_text, node_count, listed_nodes,
       covered_to, next_latest_time
FROM unchanged_job
WHERE NOT EXISTS (SELECT FROM staged_job WHERE staged_job.record_number = unchanged_job.record_number);

-- The attempts whose row in job was written.
CREATE TEMPORARY TABLE stored_job (
    attempt_id bigint PRIMARY KEY
) ON COMMIT DROP;

-- The first time at which clocks of the zone show this time. PostgreSQL itself takes the second of
-- two. Null: clocks skip it. Clocks are put back by an hour, or by half an hour (Lord Howe).
CREATE OR REPLACE FUNCTION pg_temp.earlier_reading(clock timestamp, zone text) RETURNS timestamptz
LANGUAGE sql STABLE
RETURN CASE
    WHEN zone = 'UTC' THEN clock AT TIME ZONE 'UTC'
    WHEN (clock AT TIME ZONE zone - interval '1 hour') AT TIME ZONE zone = clock
        THEN clock AT TIME ZONE zone - interval '1 hour'
    WHEN (clock AT TIME ZONE zone - interval '30 minutes') AT TIME ZONE zone = clock
        THEN clock AT TIME ZONE zone - interval '30 minutes'
    WHEN clock AT TIME ZONE zone AT TIME ZONE zone = clock THEN clock AT TIME ZONE zone
END;

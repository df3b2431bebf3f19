-- Where the records of a job delivery wait. Goes with the transaction.

-- As read: times are wall clocks of the source's zone, or UTC where has_offset.
CREATE TEMPORARY TABLE staged_job (
    -- from 1, in the order of the file; several may stand on one line
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
    elapsed_seconds      bigint,          -- null: what the times say
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
    run_group            text,            -- as declared; null: attempts of one job are a group
    -- of a snapshot: the kind of the object that it was read from
    object_kind          text,
    -- its nodes are those seen when it was written: a later record may name fewer
    holds_are_seen       boolean NOT NULL,
    seen_clock           timestamp,        -- of such a record, UTC: when that was
    -- and since when as many of its workers are seen as it has
    all_seen_clock       timestamp,
    lists_no_accelerators boolean NOT NULL, -- it lists what was allocated, and no device among it
    -- as the scheduler calls them, "a100,h100"; null: it does not say of all of them
    accelerator_types    text,
    -- of what the record says (ingest/jobs/job_staging.c); null: its nodes are those that it is
    -- seen on
    record_hash          bigint,
    -- as it stands in the file, where its times may have no meaning in the zone
    raw                  bytea
) ON COMMIT DROP;

-- The nodes of started jobs, in byte order: the names in node_list, each once, held as long as the
-- attempt, all alike; or one with times and shares of its own.
CREATE TEMPORARY TABLE staged_job_node (
    record_number bigint NOT NULL,
    nodes         text[] NOT NULL,
    start_time    timestamptz,
    end_time      timestamptz, -- of a node with a start: null while it is held
    cpus          bigint,
    accelerators  bigint
) ON COMMIT DROP;

-- Of a snapshot: the kinds of objects, by namespace, of which it shows all that there are, and when
-- it was made.
CREATE TEMPORARY TABLE staged_scope (
    name_space text NOT NULL,
    kind       text NOT NULL,
    seen_time  timestamptz
) ON COMMIT DROP;

-- Its jobs that could not be read: they are there, all the same.
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
    covered_to    timestamptz, -- the last time that the record reports,
    covered_from  timestamptz, -- since when its run reports it, and
    next_latest_time timestamptz, -- the latest other time: jobs_time.sql
    problem       text         -- why there are no such times: jobs_unplaced.sql
) ON COMMIT DROP;

-- The record that stands for each attempt of this delivery.
CREATE TEMPORARY TABLE chosen_job (
    attempt_id    bigint PRIMARY KEY,
    record_number bigint NOT NULL,
    attempt_mark  text NOT NULL
) ON COMMIT DROP;

-- Of a delivery that is read again, the attempts that stay as they are (jobs_kept.sql).
CREATE TEMPORARY TABLE kept_job (
    attempt_id bigint PRIMARY KEY
) ON COMMIT DROP;

-- The started attempts of a source of snapshots as they were known before this delivery: those that
-- were under way, and those that it names.
CREATE TEMPORARY TABLE known_run (
    attempt_id  bigint PRIMARY KEY,
    job_id_raw  text NOT NULL,
    name_space  text NOT NULL,
    object_kind text,
    seen_to     timestamptz NOT NULL, -- when the last delivery that named it was made
    is_running  boolean NOT NULL
) ON COMMIT DROP;

-- Those of them that turn out to hold nothing any more.
CREATE TEMPORARY TABLE run_over (
    attempt_id bigint PRIMARY KEY,
    held_to    timestamptz NOT NULL,
    seen_time  timestamptz,           -- when it was named now; null: it was not
    state      text,                  -- as which it has ended; null: it waits for nodes and goes on
    state_text text,
    is_gone    boolean NOT NULL
) ON COMMIT DROP;

-- The started attempts of a source that no record has the end of: a table, so that the planner
-- knows how many.
CREATE TEMPORARY TABLE open_run (
    attempt_id  bigint PRIMARY KEY,
    cluster     text NOT NULL,
    job_id_raw  text NOT NULL,
    start_time  timestamptz NOT NULL,
    delivery_id integer NOT NULL
) ON COMMIT DROP;

-- Up to when the file tells: one row.
CREATE TEMPORARY TABLE file_extent (
    exported_to timestamptz
) ON COMMIT DROP;

-- The records that say what job says already, the attempts that they say it of, and what is counted
-- of those that jobs_unchanged.sql takes out of the others.
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

-- Each record of the delivery, whether it says something new or not.
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

-- The first time at which clocks of the zone show this: PostgreSQL itself takes an hour that comes
-- twice for the second of them. Null: they skip it. Clocks are put back by an hour, or half of one
-- (Lord Howe).
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

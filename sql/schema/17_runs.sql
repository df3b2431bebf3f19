-- The run ledger (docs/operations.md). A session of its own writes it, so that a run that fails or
-- is killed has its row, too. Only kstar status and the metrics read it. Nothing published depends
-- on it: two databases that differ only here are equal.

-- A run of kstar: what it did, when, and how it ended.
CREATE TABLE run_ledger (
    run_number        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    command           text NOT NULL,                   -- 'nightly', 'ingest billing'
    inbox             text,                            -- of a night: absolute
    out_dir           text,
    started_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at          timestamptz,                     -- null: running, or it was killed
    seconds           double precision,                -- by a clock that nobody sets
    -- 'running', 'interrupted', or the word of the exit code (base/exit_codes.c)
    outcome           text NOT NULL DEFAULT 'running',
    exit_code         integer,                         -- null: running, or it was killed
    message           text,                            -- the text of the error
    peak_memory_bytes bigint,                          -- of kstar alone
    kstar_version     text NOT NULL,
    server_version    text NOT NULL DEFAULT current_setting('server_version')
);
CREATE INDEX run_ledger_command ON run_ledger (command, run_number);

-- The stages of a run, in order. Those of the inbox are named after its folders; one stage has all
-- deliveries of a kind.
CREATE TABLE run_stage (
    run_number   bigint NOT NULL REFERENCES run_ledger ON DELETE CASCADE,
    stage_number integer NOT NULL,
    stage        text NOT NULL, -- 'billing', 'publish'
    subject      text,          -- the month: '2026-09'; of compare 'closed' or 'open'
    started_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at     timestamptz,
    seconds      double precision,
    outcome      text NOT NULL DEFAULT 'running',
    files        bigint,        -- read, or written anew
    rows         bigint,        -- loaded; of replay and publish: lines of bills
    quarantined     bigint,
    bytes        bigint,        -- of those files
    run_id       text,          -- of publish: of the statement
    message      text,
    PRIMARY KEY (run_number, stage_number)
);

-- Deliveries that a run loaded, refused or held. A delivery that was known already has no row.
CREATE TABLE run_delivery (
    run_number bigint NOT NULL REFERENCES run_ledger ON DELETE CASCADE,
    kind       text NOT NULL, -- 'billing', 'reference'
    source     text,          -- null: reference, efficiency
    label      text NOT NULL,
    settled_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    outcome    text NOT NULL, -- 'done', 'refused', 'waits'
    files      bigint,
    rows       bigint,
    quarantined   bigint,
    bytes      bigint,
    message    text
);
CREATE INDEX run_delivery_run ON run_delivery (run_number);
CREATE INDEX run_delivery_label ON run_delivery (kind, label, run_number);

-- The state of each run. A run holds an advisory lock on its number while its session lives. A row
-- 'running' without the lock is of a run that was killed.
CREATE VIEW run_state AS
SELECT run_ledger.*,
       CASE WHEN outcome = 'running' AND NOT EXISTS (SELECT
                                                     FROM pg_locks
                                                     WHERE locktype = 'advisory' AND granted
                                                       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                                                       AND classid::bigint = hashtext('kstar run')::bigint & 4294967295
                                                       AND objid::bigint = run_number)
            THEN 'interrupted' ELSE outcome END AS state
FROM run_ledger;

-- The end of each source's records.
CREATE VIEW source_extent (kind, source, covered_to) AS
SELECT 'billing', source, max(billed_to) FROM usage_extent GROUP BY source
UNION ALL
SELECT 'jobs', source, horizon FROM job_horizon
UNION ALL
SELECT 'nodes', source, max(taken_at) FROM node_snapshot GROUP BY source;

-- When the next delivery of each source is expected, and whether it is late. It is counted from the
-- last time that something new was loaded; refused, held and known deliveries do not count. If the
-- run ledger does not have that time, the end of the source's records counts, which is earlier. A
-- source without either never came and is late.
CREATE VIEW source_expectation AS
SELECT kind,
       source,
       expected_within_hours,
       came_at,
       came_at + expected_within_hours * interval '1 hour'                                           AS expected_by,
       coalesce(came_at + expected_within_hours * interval '1 hour' < clock_timestamp(), true)       AS is_late
FROM source_configuration
LEFT JOIN source_extent USING (kind, source)
CROSS JOIN LATERAL (SELECT coalesce(max(settled_at), covered_to) AS came_at
                    FROM run_delivery
                    WHERE run_delivery.kind = source_configuration.kind AND run_delivery.source = source_configuration.source
                      AND outcome = 'done') AS latest
WHERE expected_within_hours IS NOT NULL;

-- How late a delivery is: '5 h', '3 days', 'never came'; null: it is not late.
CREATE FUNCTION late_text(is_late boolean, expected_by timestamptz) RETURNS text
LANGUAGE sql STABLE
RETURN CASE WHEN is_late IS NOT TRUE        THEN NULL
            WHEN expected_by IS NULL        THEN 'never came'
            WHEN clock_timestamp() - expected_by < interval '72 hours'
                                            THEN trunc(extract(epoch FROM clock_timestamp() - expected_by) / 3600) || ' h'
            ELSE trunc(extract(epoch FROM clock_timestamp() - expected_by) / 86400) || ' days' END;

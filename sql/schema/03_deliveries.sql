-- Deliveries and loads: which files were delivered, and which of their rows count.

-- A delivery is all files of one source for its billing periods, as it came in one folder.
CREATE TABLE delivery (
    delivery_id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source        text NOT NULL,
    kind          text NOT NULL CHECK (kind IN ('billing', 'jobs', 'nodes', 'efficiency')),
    label         text NOT NULL, -- its path in the inbox: 'billing/aws/2026-09'
    sha256        text NOT NULL, -- of the hashes of its files, in order
    row_count     bigint NOT NULL DEFAULT 0,
    quarantined_rows bigint NOT NULL DEFAULT 0,
    -- the build of kstar that read it, as a hash of its sources (base/postgres/identity.h)
    loader        text NOT NULL DEFAULT '',
    -- job records only: the latest time in them, and whether they are a snapshot of running jobs
    records_to    timestamptz,
    is_snapshot   boolean NOT NULL DEFAULT false,
    -- another set of files that was delivered later under the same label with the same lines: it is
    -- recognised and not read again
    other_sha256  text,
    other_bytes   bigint
);
CREATE INDEX delivery_label ON delivery (source, kind, label, delivery_id);

-- A file of a delivery.
CREATE TABLE source_file (
    file_id     integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    delivery_id integer NOT NULL REFERENCES delivery ON DELETE CASCADE,
    path        text NOT NULL, -- relative to the delivery's label
    sha256      text NOT NULL,
    bytes       bigint NOT NULL
);

-- A load has the lines of a delivery for one billing period. After some of its lines were
-- withdrawn, the rest of a load is a load of its own. usage_from and usage_to are the time of Usage
-- lines of a week or less, without corrections and unused commitments (states_usage,
-- ingest/bill/billing_reader.c). Longer lines say nothing about how current a bill is: a month of
-- support covers the whole month from the first day on.
CREATE TABLE load (
    load_id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    delivery_id     integer NOT NULL REFERENCES delivery ON DELETE CASCADE,
    source          text NOT NULL,
    billing_period  date NOT NULL,              -- BillingPeriodStart
    -- first day of the calendar month whose statement this is
    statement_month date NOT NULL,
    row_count       bigint NOT NULL,
    -- earliest ChargePeriodStart and latest ChargePeriodEnd of its Usage lines
    covered_from    timestamptz,
    covered_to      timestamptz,
    usage_from       timestamptz,                -- null: no such line
    usage_to         timestamptz,
    jobs_to         timestamptz,                -- load_jobs_to
    -- the delivery of its lines, if it is the rest of another load
    rest_of         integer REFERENCES delivery
);

-- The load that counts for a source and billing period. When a delivery replaces another one, only
-- this row changes.
CREATE TABLE current_load (
    source         text NOT NULL,
    billing_period date NOT NULL,
    load_id        integer NOT NULL REFERENCES load ON DELETE CASCADE,
    PRIMARY KEY (source, billing_period)
);

-- Deliveries whose quarantined rows count: those with a current load, and the latest of each label.
CREATE VIEW counting_delivery AS
SELECT delivery_id FROM load JOIN current_load USING (load_id)
UNION
SELECT max(delivery_id) FROM delivery GROUP BY kind, source, label;

-- The format that was detected in the files of a source, if sources.csv names none. Later
-- deliveries of the source are read in it.
CREATE TABLE detected_format (
    source text NOT NULL,
    kind   text NOT NULL CHECK (kind IN ('billing', 'jobs')),
    format text NOT NULL,
    PRIMARY KEY (source, kind)
);

-- Deliveries that wait for a person, because they cover less than what they would replace, or
-- because their lines may have moved from another billing period. --accept loads them.
CREATE TABLE held_delivery (
    source          text NOT NULL,
    label           text NOT NULL,
    -- of the held delivery; another one under the same label is examined again
    sha256          text NOT NULL,
    reason          text NOT NULL,
    -- absolute path of its inbox; null: it was loaded by hand from another folder
    inbox           text,
    billing_periods date[] NOT NULL,  -- months that cannot be closed meanwhile
    answers         text NOT NULL,    -- the commands that answer it
    asks_if_moved   boolean NOT NULL, -- whether its lines have moved from another billing period
    PRIMARY KEY (source, label)
);

-- Two sources with the same lines, for which somebody accepted that both count. kstar does not ask
-- again.
CREATE TABLE accepted_repeat (
    source          text NOT NULL,
    repeated_source text NOT NULL,
    account_key     bigint NOT NULL,
    PRIMARY KEY (source, repeated_source, account_key)
);

-- Hours of a month that are on the bill of another month, because the source's months do not turn
-- at midnight UTC. They are billed, so no internal rate prices them. They are stored as published,
-- for replays after the close.
CREATE TABLE neighbour_bill (
    statement_month date NOT NULL,
    resource_id     text NOT NULL,        -- in lower case, as compared with the node inventory
    billed_from     timestamptz NOT NULL, -- within the month
    billed_to       timestamptz NOT NULL,
    PRIMARY KEY (statement_month, resource_id, billed_from)
);

-- Up to when the bill of a source covers the month: the latest end of Usage lines of a week or
-- less. Without such lines, the latest end of longer lines, but not later than the month's end.
CREATE VIEW usage_extent AS
SELECT source, statement_month, bool_or(row_count > 0) AS has_rows, min(usage_from) AS usage_from, max(usage_to) AS usage_to,
       max(covered_to) AS covered_to,
       coalesce(max(usage_to), least(max(covered_to), (statement_month + interval '1 month')::timestamptz)) AS billed_to
FROM load
JOIN current_load USING (load_id, source)
GROUP BY source, statement_month;

-- Up to when the bills of a month state usage: one row for each source that has a bill of the
-- month. A source with a bill of the month before and none of this one has a row with is_missing.
--
-- A source has no row if nobody waits for its bill any more. A bill of the next month ends the wait
-- if its usage goes some days into that month (setting later_bill_days): providers begin the new
-- bill in the first hours of a month, while the last days of the old one are still to come. A bill
-- of the month after next always ends it.
--
-- A bill covers the whole month if its usage ends at the month's end in the time zone of the
-- source, or in the last minute before.
CREATE FUNCTION bill_extent(of_month date) RETURNS TABLE (source text, billed_to timestamptz, is_missing boolean)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH month AS (
        SELECT month_end,
               (month_end + coalesce((SELECT value::integer FROM kstar.setting
                                      WHERE parameter = 'later_bill_days' AND valid_from < month_end AND valid_to >= month_end
                                      ORDER BY valid_from DESC LIMIT 1), 5))::timestamptz AS settled
        FROM (SELECT (of_month + interval '1 month')::date) AS bounds (month_end)
    ), later AS ( -- a bill of the month after next ends the wait in any case
        SELECT usage_extent.source,
               bool_or(statement_month > month_end OR usage_to >= settled)    AS is_billed,
               -- the same for lines of any length
               bool_or(statement_month > month_end OR covered_to >= settled) AS is_covered
        FROM kstar.usage_extent
        CROSS JOIN month
        WHERE statement_month > of_month
        GROUP BY usage_extent.source
    ), bill AS (
        SELECT source, billed_to, usage_to, false AS is_missing
        FROM kstar.usage_extent
        WHERE statement_month = of_month AND has_rows
        UNION ALL
        SELECT source, NULL, usage_to, true
        FROM kstar.usage_extent
        WHERE statement_month = of_month - interval '1 month' AND has_rows
          AND source NOT IN (SELECT source FROM kstar.usage_extent WHERE statement_month = of_month)
    )
    SELECT bill.source,
           CASE WHEN bill.billed_to + interval '1 minute' >= least(month_end::timestamptz, month_end::timestamp AT TIME ZONE time_zone)
                THEN greatest(bill.billed_to, month_end::timestamptz)
                ELSE bill.billed_to END,
           is_missing
    FROM bill
    CROSS JOIN month
    LEFT JOIN kstar.source_configuration ON source_configuration.source = bill.source AND kind = 'billing'
    LEFT JOIN later ON later.source = bill.source
    WHERE is_billed IS NOT TRUE AND (usage_to IS NOT NULL OR is_covered IS NOT TRUE);
END;

-- Deliveries and loads: what came in which files, and what of it counts.

-- A delivery is all files of one source for its billing periods, as it came in one folder.
CREATE TABLE delivery (
    delivery_id   integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source        text NOT NULL,
    kind          text NOT NULL CHECK (kind IN ('billing', 'jobs', 'nodes', 'efficiency')),
    label         text NOT NULL, -- where it was found, from the inbox: 'billing/aws/2026-09'
    sha256        text NOT NULL, -- over its files' hashes, in order
    row_count     bigint NOT NULL DEFAULT 0,
    quarantined_rows bigint NOT NULL DEFAULT 0,
    -- the sources of the kstar that read it, by their content (base/postgres/identity.h)
    loader        text NOT NULL DEFAULT '',
    -- of job records: the latest time in them, and whether they are a snapshot of what runs
    records_to    timestamptz,
    is_snapshot   boolean NOT NULL DEFAULT false,
    -- the latest other files in which the same lines came under the same label: they are not read
    -- again
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

-- A load is what a delivery of a bill holds of one billing period. A load may be what is left of an
-- earlier one, after some of its lines were withdrawn. usage_from and usage_to are the time of its
-- Usage lines of a week or less, without corrections and without what was not used of a commitment
-- (states_usage, ingest/bill/billing_reader.c): a month of support, say, covers the whole month
-- from the first day on.
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
    -- the delivery that brought its lines; null: its own
    rest_of         integer REFERENCES delivery
);

-- The load that counts: exactly one per source and billing period. What is current is a row, not a
-- partition.
CREATE TABLE current_load (
    source         text NOT NULL,
    billing_period date NOT NULL,
    load_id        integer NOT NULL REFERENCES load ON DELETE CASCADE,
    PRIMARY KEY (source, billing_period)
);

-- The deliveries whose quarantined rows still count: those that have a current load, and the latest
-- of each label.
CREATE VIEW counting_delivery AS
SELECT delivery_id FROM load JOIN current_load USING (load_id)
UNION
SELECT max(delivery_id) FROM delivery GROUP BY kind, source, label;

-- The format that was detected in a source's files, if sources.csv names none. Later deliveries are
-- read in it.
CREATE TABLE detected_format (
    source text NOT NULL,
    kind   text NOT NULL CHECK (kind IN ('billing', 'jobs')),
    format text NOT NULL,
    PRIMARY KEY (source, kind)
);

-- Deliveries that wait for a person. They cover less than what they would replace, or their lines
-- may have moved from another billing period. --accept lets them in.
CREATE TABLE held_delivery (
    source          text NOT NULL,
    label           text NOT NULL,
    -- of the delivery that was held; another one under the label is looked at anew
    sha256          text NOT NULL,
    reason          text NOT NULL,
    -- in which it lies, absolute; null: it was loaded by hand from elsewhere
    inbox           text,
    billing_periods date[] NOT NULL,  -- that it keeps open
    answers         text NOT NULL,    -- with which commands
    asks_if_moved   boolean NOT NULL, -- whether its lines have moved from another billing period
    PRIMARY KEY (source, label)
);

-- Two sources that deliver the same lines, for which somebody accepted that both count. Nobody is
-- asked again.
CREATE TABLE accepted_repeat (
    source          text NOT NULL,
    repeated_source text NOT NULL,
    account_key     bigint NOT NULL,
    PRIMARY KEY (source, repeated_source, account_key)
);

-- Hours of a month that the bills of other statements name, because a source's months turn at
-- another hour than midnight UTC. These hours are billed, so no internal rate prices them again.
-- They are kept as published, so that a replay after the month's close has what the close had.
CREATE TABLE neighbour_bill (
    statement_month date NOT NULL,
    resource_id     text NOT NULL,        -- in lower case, as compared with the node inventory
    billed_from     timestamptz NOT NULL, -- within the month
    billed_to       timestamptz NOT NULL,
    PRIMARY KEY (statement_month, resource_id, billed_from)
);

-- The end of a source's bill for a month: the latest end of its usage lines of a week or less.
-- Without such lines it is that of the longer ones, at most the month's end.
CREATE VIEW usage_extent AS
SELECT source, statement_month, bool_or(row_count > 0) AS has_rows, max(usage_to) AS usage_to, max(covered_to) AS covered_to,
       coalesce(max(usage_to), least(max(covered_to), (statement_month + interval '1 month')::timestamptz)) AS billed_to
FROM load
JOIN current_load USING (load_id, source)
GROUP BY source, statement_month;

-- Up to when bills state usage, for each source that has a bill of the month, or of the month
-- before and none of this one (is_missing). A source is not listed if a later month's bill ends the
-- wait. A bill of the next month ends it with usage some days past the month's end (setting
-- later_bill_days): providers begin the new month's bill in its first hours, while the last days of
-- the old one are still to come. A bill of the month after next ends it whatever lines it has. A
-- bill whose usage ends at the month's end in its source's time zone, or in the last minute before
-- it, covers the whole month.
CREATE FUNCTION bill_extent(of_month date) RETURNS TABLE (source text, billed_to timestamptz, is_missing boolean)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH month AS (
        SELECT month_end,
               (month_end + coalesce((SELECT value::integer FROM kstar.setting
                                      WHERE parameter = 'later_bill_days' AND valid_from < month_end AND valid_to >= month_end
                                      ORDER BY valid_from DESC LIMIT 1), 5))::timestamptz AS settled
        FROM (SELECT (of_month + interval '1 month')::date) AS bounds (month_end)
    ), later AS ( -- of the second month after it: nobody waits any more, whatever it has
        SELECT usage_extent.source,
               bool_or(statement_month > month_end OR usage_to >= settled)    AS is_billed,
               -- if only by lines of a month
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

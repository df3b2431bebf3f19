-- The close of a statement (docs/close.md). The published rows of a closed statement never change,
-- and what they were made from is stored with them.

-- One row per closed statement, in the order in which they were closed.
CREATE TABLE closure (
    statement_month date PRIMARY KEY REFERENCES statement,
    close_number    integer GENERATED ALWAYS AS IDENTITY UNIQUE,
    closed_by       text NOT NULL,
    -- the reason that somebody gave for closing without some job records; null: none were missing
    accepted        text,
    -- the folder with its final workbooks, once kstar nightly has written them
    written_to      text,
    -- hash of the lines, job records and node inventory that the statement was made from
    facts_sha256    text NOT NULL,
    -- the last issue of its journal when they were written; null: none
    written_issue   integer,
    -- hash of the content_sha256 of its chunks in closed_part, in order
    parts_sha256    text
);

-- The loads of a closed statement. Their lines are kept when a later delivery replaces them.
CREATE TABLE closure_load (
    statement_month date NOT NULL REFERENCES closure,
    load_id         integer NOT NULL REFERENCES load,
    PRIMARY KEY (statement_month, load_id)
);

-- The loads of each statement: those of its close, or the current ones.
CREATE VIEW statement_load AS
SELECT statement_month, load_id
FROM closure_load
UNION ALL
SELECT statement_month, load_id
FROM load JOIN current_load USING (load_id)
WHERE statement_month NOT IN (SELECT statement_month FROM closure);

-- The chunks of each statement with their files. A chunk in several files has a row for each.
CREATE VIEW chunk_place AS
SELECT statement_month, chunk_id, load_chunk.billing_period, delivered_file(label, path) AS file, first_line
FROM statement_load
JOIN load_chunk USING (load_id)
JOIN source_file USING (file_id)
JOIN delivery USING (delivery_id);

-- The months that have a bill and are not closed. A bill without a row was withdrawn.
CREATE VIEW open_month AS
SELECT DISTINCT statement_month
FROM load
JOIN current_load USING (load_id)
JOIN delivery USING (delivery_id)
WHERE (load.row_count > 0 OR quarantined_rows > 0)
  AND statement_month NOT IN (SELECT statement_month FROM closure);

-- For the latest delivery of each label: whether an open month uses it, and why another version of
-- kstar does not read it again (null: it may). Another version may read other values from the same
-- file. These must not change a closed month, nor replace values of a later delivery.
CREATE VIEW delivery_to_read_again AS
WITH closed AS (
    SELECT coalesce(max(statement_month) + interval '1 month', '-infinity')::timestamptz AS closed_to FROM closure
), latest AS (
    SELECT DISTINCT ON (kind, source, label) delivery_id, kind, source, label, loader, records_to, is_snapshot
    FROM delivery
    ORDER BY kind, source, label, delivery_id DESC
)
SELECT delivery_id, kind, source, label, loader,
       CASE kind
           WHEN 'billing' THEN coalesce(has_open, false)
           WHEN 'jobs'    THEN coalesce(records_to > closed_to, false)
           WHEN 'nodes'   THEN EXISTS (SELECT FROM delivered_node
                                       WHERE delivered_node.delivery_id = latest.delivery_id AND (end_time > closed_to) IS NOT FALSE)
           ELSE EXISTS (SELECT FROM measurement WHERE measurement.delivery_id = latest.delivery_id)
       END AS is_of_open_month,
       CASE WHEN closed_month IS NOT NULL THEN 'it has lines of ' || closed_month || ', which is closed'
            WHEN kind = 'billing' AND NOT is_current THEN 'a later delivery has replaced a part of it'
            WHEN kind = 'billing' AND has_rest THEN 'lines have moved from another billing period'
            WHEN kind = 'jobs' AND is_snapshot THEN 'a later snapshot says what runs'
            WHEN kind = 'nodes' AND closed_to > '-infinity' THEN 'a node of closed months might change'
            WHEN kind = 'nodes' AND EXISTS (SELECT FROM delivery AS later
                                            WHERE later.kind = 'nodes' AND later.source = latest.source AND later.label <> latest.label
                                              AND later.delivery_id > latest.delivery_id) THEN 'a later delivery may say otherwise'
       END AS kept_because
FROM latest
CROSS JOIN closed
LEFT JOIN LATERAL (
    SELECT bool_or(current_load.load_id IS NOT NULL AND closure.statement_month IS NULL) AS has_open,
           bool_and(current_load.load_id IS NOT NULL)                                    AS is_current,
           bool_or(rest_of IS NOT NULL)                                                  AS has_rest,
           to_char(min(closure.statement_month), 'YYYY-MM')                              AS closed_month
    FROM load
    LEFT JOIN current_load USING (load_id)
    LEFT JOIN closure USING (statement_month)
    WHERE load.delivery_id = latest.delivery_id AND latest.kind = 'billing'
) AS bill ON true;

-- The rules in force at the close of a statement: each row of the reference tables with choices, as
-- JSON.
CREATE TABLE frozen_reference (
    statement_month date NOT NULL REFERENCES closure,
    table_name      text NOT NULL,
    content         jsonb NOT NULL
);
CREATE INDEX frozen_reference_table ON frozen_reference (statement_month, table_name);

-- The exchange rate of a currency for a day: the latest of the week up to the day (docs/amounts.md,
-- Currency and cents). A closed month has its frozen rates. If it has none for the day (a currency
-- that it did not bill, a new invoice), today's counts. No row: there is no rate.
CREATE FUNCTION rate_on(wanted_currency text, wanted_statement_currency text, day date, frozen_month date,
                        OUT rate_date date, OUT rate numeric, OUT is_frozen boolean)
RETURNS SETOF record
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT known.rate_date, known.rate, known.is_frozen
    FROM (SELECT exchange_rate.*, false AS is_frozen
          FROM exchange_rate
          UNION ALL
          SELECT (jsonb_populate_record(NULL::exchange_rate, content)).*, true
          FROM frozen_reference
          WHERE statement_month = frozen_month AND table_name = 'exchange_rate') AS known
    WHERE known.currency = wanted_currency AND known.statement_currency = wanted_statement_currency
      AND known.rate_date BETWEEN day - 7 AND day
    ORDER BY known.is_frozen DESC, known.rate_date DESC
    LIMIT 1;
END;

-- Views of the choices of each statement: stated_setting, stated_cost_centre and so on. They have
-- the rows in force with their month: the frozen ones of a closed month, or today's.
DO $$
DECLARE
    choice text;
BEGIN
    FOREACH choice IN ARRAY choice_tables() LOOP
        -- These are looked up only while a month is published (allocate/02_month.sql).
        CONTINUE WHEN choice IN ('refund_rule', 'interruption', 'serving_fleet', 'serving_measurement', 'node_accelerator');
        EXECUTE format($sql$
            CREATE VIEW stated_%1$s AS
            SELECT statement_month, (jsonb_populate_record(NULL::%1$I, content)).*
            FROM frozen_reference
            WHERE table_name = %1$L
            UNION ALL
            SELECT statement_month, choice.*
            FROM statement CROSS JOIN %1$I AS choice
            WHERE status = 'Preliminary'$sql$, choice);
    END LOOP;
END
$$;

-- The value of a setting for a statement on the last day of its month, or its default.
CREATE FUNCTION stated_setting_value(of_month date, name text, default_value text) RETURNS text
LANGUAGE sql STABLE
RETURN coalesce((SELECT value
                 FROM kstar.stated_setting
                 WHERE statement_month = of_month AND parameter = name
                   AND valid_from < of_month + interval '1 month' AND valid_to >= of_month + interval '1 month'
                 ORDER BY valid_from DESC LIMIT 1), default_value);

-- The name of a cost centre at the end of a statement's month; null: it is not declared.
CREATE FUNCTION stated_cost_centre_name(of_month date, of_cost_centre text) RETURNS text
LANGUAGE sql STABLE
RETURN (SELECT name
        FROM kstar.stated_cost_centre
        WHERE statement_month = of_month AND cost_centre = of_cost_centre AND valid_from < of_month + interval '1 month'
        ORDER BY valid_from DESC LIMIT 1);

-- The families of each statement, as allocate/02_month.sql has them.
CREATE VIEW stated_family_of_month AS
SELECT DISTINCT ON (statement_month, family) stated_family.*
FROM stated_family
WHERE valid_from < statement_month + interval '1 month' AND valid_to > statement_month
ORDER BY statement_month, family, valid_from DESC;

-- The idle pools of the nodes of a closed month, from nodes.csv and node_types.csv.
CREATE TABLE frozen_idle_pool (
    statement_month date NOT NULL REFERENCES closure,
    cluster         text NOT NULL,
    node            text NOT NULL,
    resource_id     text NOT NULL, -- in lower case, as compared with the bill's
    -- '': unknown; null: nodes.csv has the node, with its pool
    node_type       text,
    valid_from      timestamptz NOT NULL,
    valid_to        timestamptz NOT NULL,
    idle_pool       text,          -- null: unallocated
    PRIMARY KEY (statement_month, cluster, node, resource_id, valid_from)
);

-- node_types.csv at the close, for nodes of the month that are delivered later.
CREATE TABLE frozen_type_pool (
    statement_month date NOT NULL REFERENCES closure,
    cluster         text NOT NULL,
    node_type       text NOT NULL, -- '': of the whole cluster
    idle_pool       text,          -- null: that of the whole cluster, if any
    PRIMARY KEY (statement_month, cluster, node_type)
);

-- The inventory rows that lines of a month may match: up to an hour before or after them, too.
CREATE FUNCTION nodes_in_sight(of_month date) RETURNS SETOF node_inventory
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT node_inventory.*
    FROM node_inventory
    CROSS JOIN (SELECT least(min(covered_from), of_month::timestamptz) - interval '1 hour'                             AS first,
                       greatest(max(covered_to), (of_month + interval '1 month')::timestamptz) + interval '1 hour' AS last
                FROM load JOIN current_load USING (load_id)
                WHERE statement_month = of_month) AS extent
    WHERE valid_from < last AND first < valid_to;
END;

-- Freezes both for a month.
CREATE FUNCTION freeze_idle_pools(of_month date) RETURNS void
LANGUAGE sql
BEGIN ATOMIC
    INSERT INTO frozen_idle_pool (statement_month, cluster, node, resource_id, node_type, valid_from, valid_to, idle_pool)
    SELECT DISTINCT ON (cluster, node, lower(resource_id), valid_from)
           of_month, cluster, node, lower(resource_id), CASE WHEN source IS NOT NULL THEN coalesce(node_type, '') END,
           valid_from, valid_to, idle_pool
    FROM nodes_in_sight(of_month)
    ORDER BY cluster, node, lower(resource_id), valid_from, resource_id;

    INSERT INTO frozen_type_pool (statement_month, cluster, node_type, idle_pool)
    SELECT of_month, cluster, node_type, idle_pool
    FROM node_type;
END;

-- What a closed month was made from, as the rows of kstar explain: CSV without heading, gzip, in
-- chunks of one cost centre each (docs/explain.md). Later the facts are gone: job records and
-- inventory change in place, and kstar prune deletes lines.
CREATE TABLE closed_part (
    statement_month date NOT NULL REFERENCES closure,
    chunk           integer NOT NULL,
    -- the cost centre of its rows; '': none (pools, tax, unallocated)
    cost_centre     text NOT NULL,
    row_count       integer NOT NULL,
    -- the lower 32 bits of each attempt_id in it, to find the chunks of a job
    attempts        integer[] NOT NULL,
    content_sha256  bytea NOT NULL,
    content         bytea NOT NULL,
    PRIMARY KEY (statement_month, chunk)
);

ALTER TABLE closed_part ALTER content SET STORAGE EXTERNAL; -- compressed already

-- The same of an open statement, for readers, if `kstar explain --store` was run since it was
-- published. The next statement of the month removes it.
CREATE TABLE open_part (LIKE closed_part INCLUDING ALL);

-- A month that `kstar prune` has pruned (docs/operations.md): its bill lines, their parts, and the
-- nodes of attempts that ended before all remaining months are deleted. Published rows stay, and so
-- does what proves them.
CREATE TABLE pruned_month (
    statement_month date PRIMARY KEY REFERENCES closure,
    holds_to        timestamptz NOT NULL -- nodes of attempts that ended by then are no longer known
);

-- The sum of the parts of an invoice's lines when they were pruned: Σ parts = the invoice, in
-- billed and effective cost.
CREATE TABLE pruned_invoice (
    statement_month date NOT NULL REFERENCES pruned_month,
    invoice_key     bigint NOT NULL,
    billed_cost     numeric NOT NULL,
    effective_cost  numeric NOT NULL,
    PRIMARY KEY (statement_month, invoice_key)
);

-- The money of the current loads of a pruned month, with quarantined rows; load has their number. A
-- bill that still contains a pruned month, such as a file of the year to date, is compared with
-- these sums. Nothing of it is loaded for that month, because its lines are deleted.
CREATE TABLE pruned_load (
    source           text NOT NULL,
    billing_period   date NOT NULL,
    billing_currency text NOT NULL,
    billed_cost      numeric NOT NULL,
    effective_cost   numeric NOT NULL,
    PRIMARY KEY (source, billing_period, billing_currency)
);

-- Tables that lost rows and are not rewritten yet, so the space is not free yet.
CREATE TABLE prune_rewrite (
    table_name text PRIMARY KEY
);

-- Held nodes of attempts that ended by this time are not stored again if their records are
-- delivered again. Null: nothing was pruned.
CREATE FUNCTION holds_pruned_to() RETURNS timestamptz
LANGUAGE sql STABLE
RETURN (SELECT max(holds_to) FROM kstar.pruned_month);

-- Sums the job records of changed hours of closed months. The transaction must see one state of the
-- database (REPEATABLE READ).
CREATE FUNCTION tally_jobs() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    closed  constant tstzmultirange := (SELECT tstzmultirange(tstzrange('-infinity', max(statement_month + interval '1 month')::timestamptz))
                                        FROM kstar.closure);
    changed constant tstzmultirange := (SELECT range_agg(span) FROM kstar.job_change);
BEGIN
    IF isempty(changed * closed) IS NOT FALSE OR EXISTS (SELECT FROM kstar.distributed_table WHERE table_name = 'job') THEN
        RETURN;
    END IF;
    DELETE FROM kstar.job_tally WHERE hour <@ (changed * closed);
    INSERT INTO kstar.job_tally
    SELECT tally.*
    FROM unnest(changed * closed) AS span
    CROSS JOIN LATERAL kstar.job_tallies(lower(span), upper(span)) AS tally;
    DELETE FROM kstar.job_change;
    INSERT INTO kstar.job_change (span) SELECT unnest(changed - closed);
END
$$;

-- A hash of the facts of each month's statement. Equal facts have an equal hash. The facts are: its
-- loads; the nodes; jobs that started before the end of the month and of its loads; held nodes, if
-- they do not follow from the job records (pods come and go); running jobs; and up to when a job
-- that later exports do not list is charged. The function is in plpgsql because Citus supports its
-- parameters in queries.
CREATE FUNCTION facts_of_months(months date[]) RETURNS TABLE (statement_month date, facts text)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
    -- the last, perhaps broken, hour of each span, in order; an hour before the i-th has passed
    -- fewer than i of them
    span_hours timestamptz[];
    changed    tstzmultirange := (SELECT coalesce(range_agg(span), '{}') FROM kstar.job_change);
BEGIN
    SELECT array_agg(DISTINCT date_trunc('hour', span_to, 'UTC') ORDER BY date_trunc('hour', span_to, 'UTC')) INTO span_hours
    FROM (SELECT greatest(max(jobs_to), (month + interval '1 month')::timestamptz) AS span_to
          FROM unnest(months) AS month
          LEFT JOIN (kstar.load JOIN kstar.current_load USING (load_id)) ON statement_month = month
          GROUP BY month) AS span;
    IF span_hours IS NULL THEN
        RETURN;
    END IF;

    RETURN QUERY
    WITH current AS (
        SELECT load.*, delivery.sha256, delivery.quarantined_rows
        FROM kstar.load
        JOIN kstar.current_load USING (load_id)
        JOIN kstar.delivery USING (delivery_id)
        WHERE statement_month = ANY (months)
    ), span AS (
        SELECT statement_month, span_to, array_position(span_hours, date_trunc('hour', span_to, 'UTC')) AS turn
        FROM (SELECT month AS statement_month, greatest(max(jobs_to), (month + interval '1 month')::timestamptz) AS span_to
              FROM unnest(months) AS month
              LEFT JOIN current ON current.statement_month = month
              GROUP BY month) AS extent
    ), hour_tally AS (
        SELECT * FROM kstar.job_tally WHERE NOT hour <@ changed
        UNION ALL
        SELECT tally.*
        FROM unnest(changed * tstzmultirange(tstzrange('-infinity', span_hours[cardinality(span_hours)]))) AS span
        CROSS JOIN LATERAL kstar.job_tallies(lower(span), upper(span)) AS tally
    ), passed_tally AS (
        SELECT width_bucket(hour, span_hours) AS passed, sum(attempts) AS attempts, sum(hash) AS hash,
               sum(holds) AS holds, sum(hold_hash) AS hold_hash
        FROM hour_tally
        GROUP BY 1
    ), month_tally AS (
        SELECT statement_month, coalesce(sum(attempts), 0) AS attempts, sum(hash) AS hash,
               coalesce(sum(holds), 0) AS holds, sum(hold_hash) AS hold_hash
        FROM (SELECT statement_month, attempts, hash, holds, hold_hash
              FROM span LEFT JOIN passed_tally ON passed < turn
              UNION ALL
              SELECT statement_month, tally.attempts, tally.hash, tally.holds, tally.hold_hash
              FROM span
              CROSS JOIN LATERAL kstar.job_tallies(date_trunc('hour', span_to, 'UTC'), span_to) AS tally
              WHERE span_to > date_trunc('hour', span_to, 'UTC')) AS part
        GROUP BY statement_month
    ), missing_later AS ( -- up to when they are charged is not what their record says
        SELECT attempt_id, start_time, known_to(exported_to, followed_at, listed_to) AS known_to
        FROM kstar.job
        LEFT JOIN kstar.job_listing USING (source, cluster)
        WHERE start_time IS NOT NULL AND end_time IS NULL AND exported_to IS NOT NULL
    ), fact AS (
        SELECT statement_month, concat_ws(' ', 'load', source, billing_period, sha256, row_count, quarantined_rows) AS what FROM current
        UNION ALL
        SELECT statement_month, concat_ws(' ', 'jobs', attempts, hash) FROM month_tally
        UNION ALL
        SELECT statement_month, concat_ws(' ', 'holds', holds, hold_hash) FROM month_tally WHERE holds > 0
        UNION ALL
        SELECT statement_month,
               concat_ws(' ', 'left out', count(*), sum(hashtextextended(ROW(attempt_id, extract(epoch FROM known_to))::text, 0)::numeric))
        FROM span JOIN missing_later ON start_time < span_to AND known_to < span_to
        GROUP BY statement_month
        UNION ALL
        SELECT statement_month, concat_ws(' ', 'horizon', source, extract(epoch FROM least(horizon, span_to)))
        FROM kstar.job_horizon CROSS JOIN span
        UNION ALL
        SELECT statement_month,
               concat_ws(' ', 'nodes', count(node),
                         sum(hashtextextended(ROW(cluster, node, resource_id, accelerators, cpus, valid_from,
                                                  least(valid_to, span_to))::text, 0)::numeric) FILTER (WHERE node IS NOT NULL))
        FROM span LEFT JOIN kstar.node_inventory ON valid_from < span_to
        GROUP BY statement_month
        UNION ALL -- the type of a node says what it costs where it is on no bill
        SELECT statement_month,
               concat_ws(' ', 'node types', count(*),
                         sum(hashtextextended(ROW(cluster, node, resource_id, node_type, valid_from)::text, 0)::numeric))
        FROM span JOIN kstar.node_inventory ON valid_from < span_to
        WHERE cluster IN (SELECT cluster FROM kstar.node_rate)
        GROUP BY statement_month
    )
    SELECT statement_month, encode(sha256(convert_to(string_agg(what, E'\n' ORDER BY what COLLATE "C"), 'UTF8')), 'hex')
    FROM fact
    GROUP BY statement_month;
END
$$;

-- The same of one month.
CREATE FUNCTION statement_facts(of_month date) RETURNS text
LANGUAGE sql STABLE
RETURN (SELECT facts FROM kstar.facts_of_months(ARRAY[of_month]));

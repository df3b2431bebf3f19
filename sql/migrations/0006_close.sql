-- Closing a statement, and what late facts do to closed ones (docs/close.md). A closed statement's published rows
-- stay as they are. When its facts change it is replayed with its frozen rules, aside, and the difference stands as
-- prior-period adjustments in the earliest open statement, computed anew every night.

-- One row per closed statement, in the order in which they were closed.
CREATE TABLE closure (
    statement_month date PRIMARY KEY REFERENCES statement,
    close_number    integer GENERATED ALWAYS AS IDENTITY UNIQUE,
    closed_by       text NOT NULL,
    accepted        text,            -- why a close went ahead with node cost awaiting job records; null: it did not have to
    written_to      text,            -- the folder in which kstar nightly has written its workbooks as final
    facts_sha256    text NOT NULL    -- of the lines, job records and node inventory that the statement was made of
);

-- The loads that a closed statement was made of: their lines are kept when a later delivery replaces them.
CREATE TABLE closure_load (
    statement_month date NOT NULL REFERENCES closure,
    load_id         integer NOT NULL REFERENCES load,
    PRIMARY KEY (statement_month, load_id)
);

-- The loads that each statement is made of: those of its close, or the current ones.
CREATE VIEW statement_load AS
SELECT statement_month, load_id
FROM closure_load
UNION ALL
SELECT statement_month, load_id
FROM load JOIN current_load USING (load_id)
WHERE statement_month NOT IN (SELECT statement_month FROM closure);

-- The reference tables that hold choices. Node inventory and sources are facts: they are read as they are today.
CREATE FUNCTION choice_tables() RETURNS text[]
LANGUAGE sql IMMUTABLE
RETURN ARRAY['setting', 'cost_centre', 'mapping_rule', 'pool', 'pool_rule', 'pool_weight', 'overhead_rate',
             'engineering_time', 'exchange_rate', 'invoice_amount', 'tax_rule', 'family', 'family_rule', 'deadline',
             'waiver', 'measurement'];

-- The rules in force when a statement was closed: every row of the reference tables that hold choices, as JSON.
CREATE TABLE frozen_reference (
    statement_month date NOT NULL REFERENCES closure,
    table_name      text NOT NULL,
    content         jsonb NOT NULL
);
CREATE INDEX frozen_reference_table ON frozen_reference (statement_month, table_name);

-- The rate of a currency for a day: the latest of the week up to it (docs/allocation.md, section 10). For a closed month its
-- frozen rates come first; a day for which they have none (a currency that it did not bill, an invoice that is new) takes
-- today's. No row: there is none.
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

-- The choices of each statement: stated_setting, stated_cost_centre and so on hold the rows in force, with its month; those
-- that were frozen with it, else today's.
DO $$
DECLARE
    choice text;
BEGIN
    FOREACH choice IN ARRAY choice_tables() LOOP
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

-- The files that each statement was made from, as they were at its close, else as they are: bills (those behind its
-- adjustments as well), the deliveries that its jobs are in, measurements and reference files.
CREATE TABLE closure_file (
    statement_month date NOT NULL REFERENCES closure,
    kind            text NOT NULL,
    path            text NOT NULL,
    sha256          text NOT NULL,
    bytes           bigint
);

-- What a closed statement would say with the facts of today: the latest replay of it, added up. A month whose facts
-- are those of its close has none: it would say what it says.
CREATE TABLE replay (
    statement_month date PRIMARY KEY REFERENCES closure,
    facts_sha256    text NOT NULL
);
CREATE TABLE replayed_cell (
    statement_month date NOT NULL REFERENCES replay ON DELETE CASCADE,
    source          text,            -- null: off the bill
    line_type       text NOT NULL CHECK (line_type IN ('charge', 'unallocated', 'balance sheet', 'prepaid', 'unexplained')),
    cost_centre     text,            -- of a charge
    component       text REFERENCES component,
    subject         text NOT NULL,   -- of another line: reason, account, commitment, service or carrier's transfer; else ''
    gl_account      text,
    minor_units     bigint NOT NULL
);
CREATE INDEX replayed_cell_month ON replayed_cell (statement_month);

-- The rates of today that a replay had to take: when one of them changes it is done again.
CREATE TABLE replay_rate (
    statement_month    date NOT NULL REFERENCES replay ON DELETE CASCADE,
    currency           text NOT NULL,
    statement_currency text NOT NULL,
    day                date NOT NULL,
    rate               numeric NOT NULL,
    PRIMARY KEY (statement_month, currency, day)
);

-- The invoices of a replay, by source: what its cells have to come to.
CREATE TABLE replayed_source (
    statement_month date NOT NULL REFERENCES replay ON DELETE CASCADE,
    source          text NOT NULL,
    minor_units     bigint NOT NULL,
    PRIMARY KEY (statement_month, source)
);

-- Prior-period adjustments: the second block of a statement, from replays alone. Within (statement_month,
-- adjusted_month, source): Σ minor_units = invoices as replayed − as frozen − adjustments of closed statements; off the bill 0.
CREATE TABLE adjustment (
    statement_month date NOT NULL,   -- the statement that carries it: the earliest open one
    adjusted_month  date NOT NULL REFERENCES closure, -- the closed statement that it corrects
    source          text,
    line_type       text NOT NULL,
    cost_centre     text,
    component       text REFERENCES component,
    subject         text NOT NULL,
    gl_account      text,
    frozen_minor    bigint NOT NULL, -- as closed
    adjusted_minor  bigint NOT NULL, -- in closed statements since
    replayed_minor  bigint NOT NULL, -- as it would be today
    minor_units     bigint NOT NULL  -- replayed − frozen − adjusted
);
CREATE INDEX adjustment_month ON adjustment (statement_month, adjusted_month);

-- The proof of the adjustments, per closed month and source (null: off the bill), as it was when they were published.
CREATE TABLE adjustment_proof (
    statement_month date NOT NULL,
    adjusted_month  date NOT NULL REFERENCES closure,
    source          text,
    frozen_minor    bigint NOT NULL, -- invoices as closed
    adjusted_minor  bigint NOT NULL, -- in closed statements since
    replayed_minor  bigint NOT NULL  -- invoices as they would be today
);

-- What a statement row is about, beyond cost centre and component: nothing for a charge, the transfer for its carrier.
CREATE FUNCTION cell_subject(block text, line_type text, attempt_id bigint, pool text, reason text, row_key text)
RETURNS text
LANGUAGE sql IMMUTABLE
RETURN CASE
           WHEN line_type = 'unallocated'                            THEN coalesce(reason, '')
           WHEN line_type <> 'charge'                                THEN row_key
           WHEN block = 'off the bill' AND attempt_id IS NULL        THEN 'credit of the carrier: ' || pool
           ELSE ''
       END;

-- The rows of every statement, added up to what an adjustment can be about.
CREATE VIEW statement_cell AS
SELECT statement_month, source, line_type, statement_row.cost_centre,
       CASE line_type WHEN 'charge' THEN component END                            AS component,
       cell_subject(block, line_type, attempt_id, pool, reason, row_key)          AS subject,
       gl_account, sum(statement_row.minor_units)::bigint                         AS minor_units
FROM statement_row
LEFT JOIN statement_invoice USING (statement_month, invoice_key)
GROUP BY 1, 2, 3, 4, 5, 6, 7;

-- By how much each closed statement would differ today from what it says, with what closed statements have adjusted
-- since. Only a month that was replayed, or adjusted in a closed statement, can differ.
CREATE VIEW prior_period_difference AS
WITH moved AS (
    SELECT statement_month FROM replay
    UNION
    SELECT adjusted_month FROM adjustment JOIN statement USING (statement_month) WHERE status = 'Final'
), said AS (
    SELECT statement_month AS adjusted_month, source, line_type, cost_centre, component, subject, gl_account,
           minor_units AS frozen_minor, 0 AS adjusted_minor,
           CASE WHEN EXISTS (SELECT FROM replay WHERE replay.statement_month = statement_cell.statement_month)
                THEN 0 ELSE minor_units END AS replayed_minor
    FROM statement_cell JOIN moved USING (statement_month)
    UNION ALL
    SELECT statement_month, source, line_type, cost_centre, component, subject, gl_account, 0, 0, minor_units
    FROM replayed_cell
    UNION ALL
    SELECT adjusted_month, source, line_type, cost_centre, component, subject, gl_account, 0, minor_units, 0
    FROM adjustment JOIN statement USING (statement_month)
    WHERE status = 'Final'
)
SELECT adjusted_month, source, line_type, cost_centre, component, subject, gl_account,
       sum(frozen_minor)::bigint                                               AS frozen_minor,
       sum(adjusted_minor)::bigint                                             AS adjusted_minor,
       sum(replayed_minor)::bigint                                             AS replayed_minor,
       sum(replayed_minor - frozen_minor - adjusted_minor)::bigint             AS minor_units
FROM said
GROUP BY adjusted_month, source, line_type, cost_centre, component, subject, gl_account
HAVING sum(replayed_minor - frozen_minor - adjusted_minor) <> 0;

CREATE VIEW used_file AS
WITH used AS (
    SELECT statement_month, delivery_id FROM statement_load JOIN load USING (load_id, statement_month)
    UNION
    SELECT adjustment.statement_month, delivery_id
    FROM adjustment JOIN load ON load.statement_month = adjusted_month JOIN current_load USING (load_id)
    UNION
    SELECT statement_month, delivery_id FROM job_result JOIN job USING (attempt_id)
    UNION
    SELECT statement_month, delivery_id FROM statement CROSS JOIN measurement
)
SELECT statement_month, kind, label || '/' || path AS path, source_file.sha256, bytes
FROM used JOIN delivery USING (delivery_id) JOIN source_file USING (delivery_id)
UNION ALL
SELECT statement_month, 'reference', 'reference/' || name, sha256, NULL
FROM statement CROSS JOIN reference_file;

CREATE VIEW statement_file AS
SELECT statement_month, kind, path, sha256, bytes
FROM closure_file
UNION ALL
SELECT statement_month, kind, path, sha256, bytes
FROM used_file JOIN statement USING (statement_month)
WHERE status = 'Preliminary';

-- The months that have a bill and are not closed.
CREATE VIEW open_month AS
SELECT DISTINCT statement_month
FROM load JOIN current_load USING (load_id)
WHERE statement_month NOT IN (SELECT statement_month FROM closure);

-- The statement that carries the adjustments of a closed month: the earliest open one after it, or the one after all
-- that are closed.
CREATE FUNCTION adjustment_carrier(adjusted_month date) RETURNS date
LANGUAGE sql STABLE
RETURN coalesce((SELECT min(statement_month) FROM kstar.open_month WHERE statement_month > adjusted_month),
                (SELECT (max(statement_month) + interval '1 month')::date FROM kstar.closure));

-- A hash of the facts that the statement of a month is made of: its loads, and up to the end of what those and the month
-- cover the jobs that started, what is known of running ones, and the nodes. Equal facts, equal hash.
CREATE FUNCTION statement_facts(of_month date) RETURNS text
LANGUAGE sql STABLE
RETURN (
    WITH current AS (
        SELECT load.*, delivery.sha256, delivery.rejected_rows
        FROM kstar.load
        JOIN kstar.current_load USING (load_id)
        JOIN kstar.delivery USING (delivery_id)
        WHERE statement_month = of_month
    ), span AS (
        SELECT greatest(max(covered_to), (of_month + interval '1 month')::timestamptz) AS span_to
        FROM current
    ), fact AS (
        SELECT concat_ws(' ', 'load', source, billing_period, sha256, row_count, rejected_rows) AS what FROM current
        UNION ALL
        SELECT concat_ws(' ', 'jobs', count(*),
                         sum(hashtextextended(ROW(attempt_id, job_id, job_name, account, user_name, partition, qos, comment,
                                                  extract(epoch FROM start_time), extract(epoch FROM end_time), state, node_count,
                                                  cpus, accelerators, node_list, resource_id, heterogeneous_job_id,
                                                  source)::text, 0)::numeric))
        FROM kstar.job CROSS JOIN span
        WHERE start_time < span_to
        UNION ALL
        SELECT concat_ws(' ', 'horizon', source, extract(epoch FROM least(horizon, span_to)))
        FROM kstar.job_horizon CROSS JOIN span
        UNION ALL
        SELECT concat_ws(' ', 'nodes', count(*),
                         sum(hashtextextended(ROW(cluster, node, resource_id, accelerators, cpus, idle_pool, valid_from,
                                                  least(valid_to, span_to))::text, 0)::numeric))
        FROM kstar.node_inventory CROSS JOIN span
        WHERE valid_from < span_to
    )
    SELECT encode(sha256(convert_to(string_agg(what, E'\n' ORDER BY what COLLATE "C"), 'UTF8')), 'hex')
    FROM fact);

-- The published run id comes from the data, never from the clock (design 2): a hash of as-of, of everything that was read,
-- of what is closed and what it would say today, and of the version.
CREATE FUNCTION statement_run_id(statement_month date, version text) RETURNS text
LANGUAGE sql STABLE
RETURN (
    WITH input AS (
        SELECT 'billing ' || source || ' ' || billing_period || ' ' || sha256 AS what
        FROM kstar.load
        JOIN kstar.current_load USING (load_id, source, billing_period)
        JOIN kstar.delivery USING (delivery_id, source)
        UNION ALL
        SELECT kind || ' ' || source || ' ' || label || ' ' || sha256 FROM kstar.delivery WHERE kind <> 'billing'
        UNION ALL
        SELECT 'reference ' || name || ' ' || sha256 FROM kstar.reference_file
        UNION ALL
        SELECT 'closed ' || closure.statement_month FROM kstar.closure
        UNION ALL
        SELECT 'adjustment ' || prior_period_difference::text
        FROM kstar.prior_period_difference
        WHERE kstar.adjustment_carrier(adjusted_month) = statement_run_id.statement_month
    )
    SELECT left(encode(sha256(convert_to(
               concat_ws(E'\n', statement_month, extract(epoch FROM kstar.statement_as_of(statement_month)), version,
                         string_agg(what, E'\n' ORDER BY what COLLATE "C")), 'UTF8')), 'hex'), 16)
    FROM input);

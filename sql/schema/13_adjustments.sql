-- Late facts and closed statements (docs/late-facts.md). When the facts of a closed month change,
-- the month is replayed with its frozen rules. The differences are prior-period adjustments in the
-- earliest open statement. They are computed again every night.

-- A replay: the sums that a closed statement would have with the facts of today. Only the latest
-- replay is kept. A month has none if its facts are still those of its close.
CREATE TABLE replay (
    statement_month date PRIMARY KEY REFERENCES closure,
    facts_sha256    text NOT NULL,
    -- hash of today's choices that the replay used (taken_since); null: it used none
    taken_sha256    text
);

-- The rows of a replay, summed by the columns that an adjustment has.
CREATE TABLE replayed_cell (
    statement_month date NOT NULL REFERENCES replay ON DELETE CASCADE,
    source          text,          -- null: internal charges
    line_type       text NOT NULL CHECK (line_type IN ('charge', 'unallocated', 'balance sheet', 'prepaid', 'unexplained')),
    cost_centre     text,          -- of a charge
    component       text REFERENCES component,
    -- for lines that are no charge: reason, account, commitment, service or carrier's transfer;
    -- otherwise ''
    subject         text NOT NULL,
    gl_account      text,
    minor_units     bigint NOT NULL
);
CREATE INDEX replayed_cell_month ON replayed_cell (statement_month);

-- Exchange rates of today that a replay used. When one of them changes, the month is replayed
-- again.
CREATE TABLE replay_rate (
    statement_month    date NOT NULL REFERENCES replay ON DELETE CASCADE,
    currency           text NOT NULL,
    statement_currency text NOT NULL,
    day                date NOT NULL,
    rate               numeric NOT NULL,
    PRIMARY KEY (statement_month, currency, day)
);

-- The invoices of a replay, summed by source: the total of its cells.
CREATE TABLE replayed_source (
    statement_month date NOT NULL REFERENCES replay ON DELETE CASCADE,
    source          text NOT NULL,
    minor_units     bigint NOT NULL,
    PRIMARY KEY (statement_month, source)
);

-- The invoices of a replay, for comparison with today's invoices.csv.
CREATE TABLE replayed_invoice (
    statement_month     date NOT NULL REFERENCES replay ON DELETE CASCADE,
    invoice_key         bigint NOT NULL,
    source              text NOT NULL,
    invoice_issuer_name text,
    invoice_id          text,
    billing_currency    text NOT NULL,
    line_count          bigint NOT NULL,  -- with quarantined rows
    billed_cost         numeric NOT NULL, -- exact, billing currency
    PRIMARY KEY (statement_month, invoice_key)
);

-- Invoices of invoices.csv that were new since the close of a month. An invoice is not new if the
-- bill at the close had an invoice without a number of the same source, period and currency. The
-- function is in plpgsql, because Citus runs no SQL function with a parameter over distributed
-- tables.
CREATE FUNCTION invoice_amount_since(of_month date) RETURNS SETOF invoice_amount
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    WITH closed AS MATERIALIZED (
        SELECT invoice_id, invoice_issuer_name, billing_currency
        FROM kstar.statement_invoice
        WHERE statement_month = of_month
        UNION
        SELECT content ->> 'invoice_id', content ->> 'invoice_issuer_name', content ->> 'currency'
        FROM kstar.frozen_reference
        WHERE statement_month = of_month AND table_name = 'invoice_amount'
        UNION
        SELECT named.invoice_id, named.invoice_issuer_name, named.billing_currency
        FROM kstar.statement_invoice AS stated
        JOIN kstar.invoice AS unnamed USING (invoice_key)
        JOIN kstar.invoice AS named ON named.source = unnamed.source AND named.billing_period = unnamed.billing_period
                             AND named.billing_currency = unnamed.billing_currency
        WHERE statement_month = of_month AND stated.invoice_id IS NULL AND named.invoice_id IS NOT NULL
          AND coalesce(unnamed.invoice_issuer_name = named.invoice_issuer_name, true)
    )
    SELECT today.*
    FROM kstar.invoice_amount AS today
    WHERE NOT EXISTS (SELECT
                      FROM closed
                      WHERE closed.invoice_id = today.invoice_id AND closed.billing_currency = today.currency
                        AND coalesce(closed.invoice_issuer_name, today.invoice_issuer_name) = today.invoice_issuer_name);
END;
$$;

-- A hash of today's choices that the replay of a month uses: issuers and dates of new invoices, and
-- idle pools of nodes for which nothing was frozen, neither for the node nor for its type or
-- cluster (allocate/merge/frozen_pools.sql). Null: it uses none.
CREATE FUNCTION taken_since(of_month date) RETURNS text
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT encode(sha256(convert_to(string_agg(what, E'\n' ORDER BY what COLLATE "C"), 'UTF8')), 'hex')
    FROM (SELECT 'invoice ' || ROW(invoice_id, currency, invoice_issuer_name, invoice_date)::text AS what
          FROM invoice_amount_since(of_month)
          WHERE (invoice_id, currency) IN (SELECT invoice_id, billing_currency FROM replayed_invoice WHERE statement_month = of_month)
          UNION ALL
          SELECT 'node ' || ROW(cluster, node, resource_id, valid_from, idle_pool)::text
          FROM nodes_in_sight(of_month) AS here
          -- compared in memory: a join would read all frozen nodes for each node
          WHERE (cluster, node, lower(resource_id)) NOT IN (SELECT cluster, node, resource_id FROM frozen_idle_pool WHERE statement_month = of_month)
            AND NOT (source IS NOT NULL
                     AND ((cluster, '') IN (SELECT cluster, node_type FROM frozen_type_pool WHERE statement_month = of_month)
                          OR (cluster, coalesce(node_type, '')) IN (SELECT cluster, node_type FROM frozen_type_pool WHERE statement_month = of_month)))
         ) AS taken;
END;

-- Which of these closed months are to be replayed: their facts differ from those of their close and
-- of their latest replay, or rates and other choices of today that the replay used have changed.
CREATE FUNCTION months_to_replay(asked date[]) RETURNS TABLE (statement_month date)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT closure.statement_month
    FROM closure
    LEFT JOIN replay USING (statement_month)
    JOIN facts_of_months(asked) AS today USING (statement_month)
    WHERE facts <> closure.facts_sha256 AND facts IS DISTINCT FROM replay.facts_sha256
       OR EXISTS (SELECT
                  FROM replay_rate AS taken
                  LEFT JOIN LATERAL rate_on(taken.currency, taken.statement_currency, taken.day, NULL) AS rate_today ON true
                  WHERE taken.statement_month = closure.statement_month AND rate_today.rate IS DISTINCT FROM taken.rate)
       OR taken_sha256 IS DISTINCT FROM CASE WHEN replay.statement_month IS NOT NULL THEN taken_since(replay.statement_month) END;
END;

-- Cost centres that a replay charges for a day on which they were not declared. A rule names them
-- by mistake, and the statement that adjusts the month cannot be closed before that is corrected. A
-- cost centre that has only ended does not block the close.
CREATE TABLE replayed_undeclared (
    statement_month date NOT NULL REFERENCES replay ON DELETE CASCADE,
    cost_centre     text NOT NULL, -- charged in the replay for a day on which it was not declared
    PRIMARY KEY (statement_month, cost_centre)
);

-- Prior-period adjustments, from replays alone. For each statement_month, adjusted_month and
-- source, Σ minor_units = invoices as replayed − as frozen − adjustments of closed statements; for
-- internal charges it is 0. If the closed month has another currency than the statement with its
-- adjustments, they are converted there. Earlier adjustments are subtracted in the closed month's
-- own currency, so nothing is lost by rounding or by a rate that changes.
CREATE TABLE adjustment (
    -- the statement that it is in: the earliest open one
    statement_month date NOT NULL,
    adjusted_month  date NOT NULL REFERENCES closure, -- the closed statement that it corrects
    source          text,
    line_type       text NOT NULL,
    cost_centre     text,
    component       text REFERENCES component,
    subject         text NOT NULL,
    gl_account      text,
    frozen_minor    bigint NOT NULL,                  -- as closed
    adjusted_minor  bigint NOT NULL,                  -- in closed statements since
    replayed_minor  bigint NOT NULL,                  -- as it would be today
    minor_units     bigint NOT NULL,                  -- replayed − frozen − adjusted
    -- minor_units in minor units of the closed month's currency: exact
    own_minor       bigint NOT NULL,
    -- the rate of the conversion; null: the currencies are the same
    exchange_rate   numeric,
    rate_date       date
);
CREATE INDEX adjustment_month ON adjustment (statement_month, adjusted_month);

-- The proof of the adjustments for each closed month and source (null: internal charges), as
-- published.
CREATE TABLE adjustment_proof (
    statement_month date NOT NULL,
    adjusted_month  date NOT NULL REFERENCES closure,
    source          text,
    frozen_minor    bigint NOT NULL, -- invoices as closed
    adjusted_minor  bigint NOT NULL, -- in closed statements since
    replayed_minor  bigint NOT NULL  -- invoices as they would be today
);

-- The rows of each statement, summed by the columns that an adjustment has. They are summed by
-- invoice first, so that no row is compared with every invoice of its month.
CREATE VIEW statement_cell AS
SELECT statement_month, source, line_type, of_invoice.cost_centre, component, subject, gl_account, sum(of_invoice.minor_units)::bigint AS minor_units
FROM (SELECT statement_month, invoice_key, line_type, cost_centre,
             CASE line_type WHEN 'charge' THEN component END                   AS component,
             cell_subject(block, line_type, is_of_attempts, pool, reason, row_key) AS subject,
             gl_account, sum(minor_units)                                      AS minor_units
      FROM statement_sum
      GROUP BY 1, 2, 3, 4, 5, 6, 7) AS of_invoice
LEFT JOIN statement_invoice USING (statement_month, invoice_key)
GROUP BY 1, 2, 3, 4, 5, 6, 7;

-- The differences between each closed statement as it would be today and as it is, with the
-- adjustments of closed statements since. In the month's own currency. Only a month that was
-- replayed or adjusted in a closed statement can differ.
CREATE VIEW prior_period_difference AS
WITH moved AS (
    SELECT statement_month FROM replay
    UNION
    SELECT adjusted_month FROM adjustment JOIN statement USING (statement_month) WHERE status = 'Final'
), compared_cell AS (
    SELECT statement_month AS adjusted_month, source, line_type, cost_centre, component, subject, gl_account,
           minor_units AS frozen_minor, 0 AS adjusted_minor,
           CASE WHEN EXISTS (SELECT FROM replay WHERE replay.statement_month = statement_cell.statement_month)
                THEN 0 ELSE minor_units END AS replayed_minor
    FROM statement_cell
    -- known before the cells are added up
    WHERE statement_month = ANY (ARRAY(SELECT statement_month FROM moved))
    UNION ALL
    SELECT statement_month, source, line_type, cost_centre, component, subject, gl_account, 0, 0, minor_units
    FROM replayed_cell
    UNION ALL
    SELECT adjusted_month, source, line_type, cost_centre, component, subject, gl_account, 0, own_minor, 0
    FROM adjustment JOIN statement USING (statement_month)
    WHERE status = 'Final'
)
SELECT adjusted_month, source, line_type, cost_centre, component, subject, gl_account,
       sum(frozen_minor)::bigint                                               AS frozen_minor,
       sum(adjusted_minor)::bigint                                             AS adjusted_minor,
       sum(replayed_minor)::bigint                                             AS replayed_minor,
       sum(replayed_minor - frozen_minor - adjusted_minor)::bigint             AS minor_units
FROM compared_cell
GROUP BY adjusted_month, source, line_type, cost_centre, component, subject, gl_account
HAVING sum(replayed_minor - frozen_minor - adjusted_minor) <> 0;

-- The statement in which adjustments of a closed month are: the earliest open one after the month,
-- or the one after all closed ones.
CREATE FUNCTION adjustment_carrier(adjusted_month date) RETURNS date
LANGUAGE sql STABLE
RETURN coalesce((SELECT min(statement_month) FROM kstar.open_month WHERE statement_month > adjusted_month),
                (SELECT (max(statement_month) + interval '1 month')::date FROM kstar.closure));

-- The files that a closed statement was made from, as they were at its close (view used_file).
CREATE TABLE closure_file (
    statement_month date NOT NULL REFERENCES closure,
    kind            text NOT NULL,
    path            text NOT NULL,
    sha256          text NOT NULL,
    bytes           bigint
);

-- The files that a statement is made from: bills (also those of its adjustments, and earlier ones
-- of which lines are left), job records, measurements, node inventories and reference files.
-- readers.csv is not among them, because who may read a statement does not change it.
CREATE VIEW used_file AS
WITH used AS (
    SELECT statement_month, delivery_id FROM statement_load JOIN load USING (load_id, statement_month)
    UNION
    SELECT statement_month, rest_of FROM statement_load JOIN load USING (load_id, statement_month) WHERE rest_of IS NOT NULL
    UNION
    SELECT adjustment.statement_month, delivery_id
    FROM adjustment JOIN load ON load.statement_month = adjusted_month JOIN current_load USING (load_id)
    UNION
    SELECT statement_month, delivery_id
    FROM job_result
    -- each is looked up by itself: a join would read the places of all years
    CROSS JOIN LATERAL (SELECT delivery_id FROM job_place WHERE job_place.attempt_id = job_result.attempt_id OFFSET 0) AS place
    UNION
    SELECT statement_month, delivery_id FROM statement CROSS JOIN measurement
    UNION
    SELECT statement_month, delivery_id
    FROM statement
    JOIN delivered_node ON start_time < (statement_month + interval '1 month')::timestamptz
                       AND coalesce(end_time, 'infinity') > statement_month::timestamptz
)
SELECT statement_month, kind, delivered_file(label, path) AS path, source_file.sha256, bytes
FROM used JOIN delivery USING (delivery_id) JOIN source_file USING (delivery_id)
UNION ALL
SELECT statement_month, 'reference', 'reference/' || name, sha256, NULL
FROM statement CROSS JOIN reference_file
WHERE name <> 'readers.csv';

-- The files of each statement: those of its close, or today's.
CREATE VIEW statement_file AS
SELECT statement_month, kind, path, sha256, bytes
FROM closure_file
UNION ALL
SELECT statement_month, kind, path, sha256, bytes
FROM used_file JOIN statement USING (statement_month)
WHERE status = 'Preliminary';

-- The run id of a statement: a hash of its as-of, of all that was read, of the closed months and
-- their replays, of the forecast that it is compared with, and of all sources of kstar that decide
-- what a statement has (base/postgres/identity.h). It comes from the data, not from the clock. The
-- as-of is the given one, as of a published statement, otherwise the one that it would have now.
CREATE FUNCTION statement_run_id(statement_month date, rules text, as_of timestamptz DEFAULT NULL) RETURNS text
LANGUAGE sql STABLE
RETURN (
    WITH input AS (
        SELECT 'billing ' || source || ' ' || billing_period || ' ' || sha256 AS what
        FROM kstar.load
        JOIN kstar.current_load USING (load_id, source, billing_period)
        JOIN kstar.delivery USING (delivery_id, source)
        UNION ALL
        -- once, however often it was read
        SELECT DISTINCT kind || ' ' || source || ' ' || label || ' ' || sha256 FROM kstar.delivery WHERE kind <> 'billing'
        UNION ALL
        SELECT 'reference ' || name || ' ' || sha256 FROM kstar.reference_file WHERE name <> 'readers.csv'
        UNION ALL
        SELECT 'closed ' || closure.statement_month FROM kstar.closure
        UNION ALL
        SELECT 'adjustment ' || prior_period_difference::text
        FROM kstar.prior_period_difference
        WHERE kstar.adjustment_carrier(adjusted_month) = statement_run_id.statement_month
        UNION ALL
        SELECT 'forecast ' || forecast_of_month(statement_run_id.statement_month)
    )
    SELECT left(encode(sha256(convert_to(
               concat_ws(E'\n', statement_month, extract(epoch FROM coalesce(as_of, kstar.statement_as_of(statement_month))), rules,
                         string_agg(what, E'\n' ORDER BY what COLLATE "C")), 'UTF8')), 'hex'), 16)
    FROM input);

-- What a statement publishes for a month. Each table is keyed by statement_month, and a new
-- statement replaces all of a month's rows in one transaction, so a reader sees the old statement
-- or the new one. Exact money is `numeric`. It is rounded once, to minor units of the statement
-- currency (`minor_units`), and every total is a sum of those.

-- The names of these tables. A new statement replaces the rows of its month in each
-- (allocate/03_replace.sql). A replay has a temporary table in place of each (close/shadow.sql).
CREATE FUNCTION published_tables() RETURNS text[]
LANGUAGE sql IMMUTABLE
RETURN '{charge, class_charge, shared_part, statement_invoice, statement_sum, statement_detail, job_result, family_fit, family_interruption,
         family_curve, fit_of_jobs, family_rate, family_waste, statement_note, adjustment, adjustment_proof, statement_price,
         statement_idle, statement_projection, statement_forecast, planned_training_cost, job_energy, idle_energy, serving_cost,
         serving_size, finding, open_part, statement}'::text[];

-- The components of true cost, in the order of the waterfall. on_job: attempts have it.
-- internal_hardware is the credit of the owners of nodes; jobs have the same money as components of
-- hardware.
CREATE TABLE component (
    component text PRIMARY KEY,
    position  integer NOT NULL UNIQUE,
    title     text NOT NULL,
    on_job    boolean NOT NULL
);

INSERT INTO component (component, position, title, on_job) VALUES
    ('useful_compute',        1, 'Useful compute',                true),
    ('coordination_waste',    2, 'Coordination waste',            true),
    ('unmeasured_hardware',   3, 'Unmeasured hardware',           true),
    ('failed_runs',           4, 'Failed runs',                   true),
    ('cancelled',             5, 'Cancelled',                     true),
    ('cloud_fees',            6, 'Cloud fees',                    true),
    ('fixed_overhead',        7, 'Fixed overhead, on the bill',   true),
    ('idle',                  8, 'Idle nodes',                    false),
    ('unused_commitments',    9, 'Unused commitments',            false),
    ('shared_services',      10, 'Shared services',               false),
    ('direct_cost',          11, 'Direct cost without job',       false),
    ('tax',                  12, 'Tax',                           false),
    ('credits',              13, 'Credits',                       false),
    ('charge_adjustments',   14, 'Charge adjustments',            false),
    ('internal_overhead',    15, 'Internal overhead',             true),
    ('engineering_overhead', 16, 'Engineering overhead',          true),
    ('internal_hardware',    17, 'Internal hardware',             false);

-- ISO 4217 minor units that are not two digits.
CREATE TABLE currency_minor_unit (
    currency text PRIMARY KEY,
    digits   integer NOT NULL
);

INSERT INTO currency_minor_unit (currency, digits) VALUES
    ('BIF', 0), ('CLP', 0), ('DJF', 0), ('GNF', 0), ('ISK', 0), ('JPY', 0), ('KMF', 0), ('KRW', 0), ('PYG', 0),
    ('RWF', 0), ('UGX', 0), ('UYI', 0), ('VND', 0), ('VUV', 0), ('XAF', 0), ('XOF', 0), ('XPF', 0),
    ('BHD', 3), ('IQD', 3), ('JOD', 3), ('KWD', 3), ('LYD', 3), ('OMR', 3), ('TND', 3), ('CLF', 4), ('UYW', 4);

-- A statement of a month.
CREATE TABLE statement (
    statement_month    date PRIMARY KEY,
    status             text NOT NULL CHECK (status IN ('Preliminary', 'Final')),
    run_id             text NOT NULL, -- hash of as-of, input hashes, configuration and version
    as_of              timestamptz NOT NULL,
    kstar_version      text NOT NULL,
    statement_currency text NOT NULL,
    minor_unit_digits  integer NOT NULL,
    -- the range of what an hour of waiting was counted at in jobs with a K*; null: there were none
    lowest_waiting_per_hour  numeric,
    highest_waiting_per_hour numeric
);

-- The as-of of a statement: the latest end of usage in bills or job records. It comes from the
-- data, not from the clock. kstar.as_of overrides it.
CREATE FUNCTION statement_as_of(statement_month date) RETURNS timestamptz
LANGUAGE sql STABLE
RETURN coalesce(nullif(current_setting('kstar.as_of', true), '')::timestamptz,
                greatest((SELECT max(billed_to) FROM kstar.usage_extent), (SELECT max(horizon) FROM kstar.job_horizon)),
                (statement_month + interval '1 month')::timestamptz);

-- An invoice of the statement, with the sums of its lines.
CREATE TABLE statement_invoice (
    statement_month     date NOT NULL,
    invoice_key         bigint NOT NULL,
    source              text NOT NULL,
    invoice_issuer_name text,
    invoice_id          text,
    billing_currency    text NOT NULL,
    exchange_rate       numeric NOT NULL, -- billing currency to statement currency
    rate_date           date,             -- null where the two currencies are the same
    line_count          bigint NOT NULL,
    quarantined_count   bigint NOT NULL,
    -- exact, in billing currency: Σ lines, quarantined rows included
    billed_cost         numeric NOT NULL,
    effective_cost      numeric NOT NULL,
    -- billed cost in statement currency: all cents of the invoice are handed out from here
    minor_units         bigint NOT NULL,
    -- invoices.csv: net + tax; null: the invoice is not in it
    invoice_amount      numeric,
    invoice_difference  numeric,          -- invoice_amount − billed_cost
    invoice_tolerance   numeric,          -- FOCUS 1.4: max(100 × subunit, √rows × 0.5 × subunit)
    PRIMARY KEY (statement_month, invoice_key)
);

-- The sums of a statement. They are few, however many attempts there are. Sheets, pages and budgets
-- that do not name attempts read them. Within an invoice Σ minor_units =
-- statement_invoice.minor_units: charged + prepaid balance change + unexplained = invoice. Internal
-- charges add up to 0. The sums of a cost centre have consecutive numbers.
CREATE TABLE statement_sum (
    statement_month date NOT NULL,
    sum_id          integer NOT NULL, -- from 1
    block           text NOT NULL CHECK (block IN ('invoice', 'internal')),
    line_type       text NOT NULL CHECK (line_type IN ('charge', 'unallocated', 'balance sheet', 'prepaid', 'unexplained')),
    invoice_key     bigint,           -- null: internal charges
    cost_centre     text,             -- null: not a charge
    component       text REFERENCES component,
    -- the subject: pool, service, reason, commitment or account; null: attempts
    row_key         text,
    pool            text,             -- of internal charges: the transfer
    reason          text,             -- why it is unallocated or unexplained
    gl_account      text,
    is_of_attempts  boolean NOT NULL, -- its details are attempts
    row_count       bigint NOT NULL,  -- of its details
    billed_cost     numeric NOT NULL, -- exact, billing currency (of an internal charge: statement currency)
    effective_cost  numeric NOT NULL,
    -- exact, in statement currency: effective cost; in rows of the bridge, billed − effective cost
    amount          numeric NOT NULL,
    minor_units     bigint NOT NULL,
    PRIMARY KEY (statement_month, sum_id)
);

-- The details of a sum: an amount for each attempt. A sum that is on no attempt has one detail.
CREATE TABLE statement_detail (
    attempt_id      bigint,
    minor_units     bigint NOT NULL,
    statement_month date NOT NULL,
    sum_id          integer NOT NULL,
    billed_cost     numeric NOT NULL,
    effective_cost  numeric NOT NULL,
    amount          numeric NOT NULL
);
-- Details are stored in the order of their cells, so summaries (BRIN) of stretches of the table
-- find them (analyze_tables makes the summaries). A B-tree of so many rows would make each night a
-- second slower.
CREATE INDEX statement_detail_month ON statement_detail USING brin (statement_month, sum_id) WITH (pages_per_range = 16);

-- The details, each with the columns of its sum.
CREATE VIEW statement_row AS
SELECT statement_month, sum_id, block, line_type, invoice_key, cost_centre, component, row_key, attempt_id, pool, reason, gl_account,
       statement_detail.billed_cost, statement_detail.effective_cost, statement_detail.amount, statement_detail.minor_units
FROM statement_detail
JOIN statement_sum USING (statement_month, sum_id);

-- The lines of a statement at four prices: list, contracted (negotiated), effective (with
-- commitments) and billed. A line without ListCost or ContractedCost counts at the next of these
-- prices, so no saving is claimed for it. Minor units are rounded within the invoice, so
-- billed_minor of the rows of cost centre '' adds up to the statement's invoices.
CREATE TABLE statement_price (
    statement_month  date NOT NULL,
    -- '': whole lines of all cost centres; otherwise this cost centre's own parts: of its jobs, and
    -- lines charged to it directly
    cost_centre      text NOT NULL,
    invoice_key      bigint NOT NULL,
    block            text NOT NULL CHECK (block IN ('usage', 'unused commitment', 'purchase', 'other')),
    service_name     text NOT NULL,
    commitment       text NOT NULL,    -- its id, or ''
    -- of compute usage, and what is covered
    pricing          text NOT NULL CHECK (pricing IN ('committed', 'spot', 'on demand', '')),
    line_count       bigint NOT NULL,  -- for a cost centre: parts of lines
    unlisted_count   bigint NOT NULL,  -- of them without a list cost
    list_cost        numeric NOT NULL, -- exact, in the invoice's currency
    contracted_cost  numeric NOT NULL,
    effective_cost   numeric NOT NULL,
    billed_cost      numeric NOT NULL,
    list_minor       bigint NOT NULL,  -- in statement currency
    contracted_minor bigint NOT NULL,
    effective_minor  bigint NOT NULL,
    billed_minor     bigint NOT NULL
);

-- By hashes of the bill's texts, which may have thousands of letters: an entry of an index has at
-- most a third of a page.
CREATE UNIQUE INDEX statement_price_row
    ON statement_price (statement_month, cost_centre, invoice_key, block, md5(service_name), md5(commitment), pricing);

-- Idle time of each billed node, before the pool that pays for it is split. The node's type is that
-- of nodes.csv or of the delivered inventory, or else the bill's SKU.
CREATE TABLE statement_idle (
    statement_month date NOT NULL,
    pool            text,           -- null: unallocated, idle node without pool
    resource_id     text NOT NULL,
    resource_name   text,
    node_hours      numeric NOT NULL,
    -- effective cost in statement currency, rounded within pool and invoice
    minor_units     bigint NOT NULL,
    node_type       text,
    is_held         boolean NOT NULL DEFAULT true
);
CREATE INDEX statement_idle_month ON statement_idle (statement_month);

-- Cost of a cost centre that goes on at its rate so far until the month's end, by source.
CREATE TABLE statement_projection (
    statement_month date NOT NULL,
    cost_centre     text NOT NULL,
    source          text NOT NULL,    -- '': internal charges
    linear_amount   numeric NOT NULL, -- exact, statement currency
    -- the end of the source's records; null: no cost of it goes on
    covered_to      timestamptz,
    PRIMARY KEY (statement_month, cost_centre, source)
);

-- The forecast that a statement is compared with (sheet "Key figures"). Of the forecasts of the
-- scenario in the setting forecast_scenario, it is the one with the latest history before the
-- month. It is stored with the statement, so later forecasts do not change a closed month. A row
-- for each cost centre ('': the whole company). No row: nothing was forecast.
CREATE TABLE statement_forecast (
    statement_month date NOT NULL,
    cost_centre     text NOT NULL,
    scenario        text NOT NULL,
    forecast_id     text NOT NULL,
    known_to        date NOT NULL,   -- the last month of its history
    minor_units     bigint NOT NULL, -- true cost
    PRIMARY KEY (statement_month, cost_centre)
);

-- Notes on the data, and what blocks the close.
CREATE TABLE statement_note (
    statement_month date NOT NULL,
    -- 'oversubscribed node', 'unpriced node-hours', 'awaiting job records', …
    kind            text NOT NULL,
    subject         text NOT NULL,
    quantity        numeric,
    unit            text,
    note            text NOT NULL,
    blocks_close    boolean NOT NULL
);

-- The findings of a statement in words, the most expensive first.
CREATE TABLE finding (
    statement_month date NOT NULL,
    rank            integer NOT NULL,
    kind            text NOT NULL,
    minor_units     bigint NOT NULL,
    finding         text NOT NULL,
    PRIMARY KEY (statement_month, rank)
);

-- The energy that nodes drew for each attempt, and the emissions of the grid for it
-- (docs/energy.md). Only if node_power.csv has a row in force in the month. Each figure is exact
-- until it is rounded once, half up, to 6 places. Totals are sums of rounded figures.
CREATE TABLE job_energy (
    statement_month       date NOT NULL,
    attempt_id            bigint NOT NULL,
    cost_centre           text,             -- null: none
    node_hours            numeric NOT NULL, -- with known power
    unpowered_node_hours  numeric NOT NULL, -- with unknown power: they count no energy
    kwh                   numeric NOT NULL, -- PUE included
    -- the part without a known grid intensity: counted at PUE 1, without carbon
    kwh_without_intensity numeric NOT NULL,
    kg_co2e               numeric NOT NULL,
    PRIMARY KEY (statement_month, attempt_id)
);

-- The energy of nodes that were there and that no job held.
CREATE TABLE idle_energy (
    statement_month       date NOT NULL,
    pool                  text NOT NULL, -- '': none
    cluster               text NOT NULL,
    node_hours            numeric NOT NULL,
    unpowered_node_hours  numeric NOT NULL,
    kwh                   numeric NOT NULL,
    kwh_without_intensity numeric NOT NULL,
    kg_co2e               numeric NOT NULL,
    PRIMARY KEY (statement_month, pool, cluster)
);

-- Whether energy is shown for a month. If so, each of its workbooks has the sheet and the columns.
CREATE FUNCTION energy_is_stated(of_month date) RETURNS boolean
LANGUAGE sql STABLE
RETURN EXISTS (SELECT FROM job_energy WHERE statement_month = of_month)
    OR EXISTS (SELECT FROM idle_energy WHERE statement_month = of_month);

-- The serving fleets in force on the month's last day, with the choice among their measured replica
-- counts.
CREATE TABLE serving_cost (
    statement_month        date NOT NULL,
    fleet                  text NOT NULL,
    cost_centre            text NOT NULL,
    price_per_replica_hour numeric,       -- null: its nodes are not on the month's bill
    price_from             text NOT NULL, -- 'declared', or the lines of the bill that it is from
    fixed_per_hour         numeric NOT NULL,
    latency_percentile     numeric NOT NULL,
    latency_limit_ms       numeric,
    outcome                text NOT NULL, -- of the choice (model/cost/serving_fleet.h)
    cheapest               integer,       -- replica count: the cheapest within the limit
    highest_throughput     integer,       -- of all counts
    quickest               integer,       -- of all counts: the lowest latency
    PRIMARY KEY (statement_month, fleet)
);

-- The measured replica counts of each fleet, at its percentile of latency.
CREATE TABLE serving_size (
    statement_month   date NOT NULL,
    fleet             text NOT NULL,
    replicas          integer NOT NULL,
    tokens_per_second numeric NOT NULL,
    latency_ms        numeric NOT NULL,
    PRIMARY KEY (statement_month, fleet, replicas)
);

-- The cost of an hour and of a million output tokens at each measured replica count. It is exact
-- until it is rounded once, half up, to 6 places.
CREATE VIEW serving_priced AS
SELECT statement_month, fleet, cost_centre, replicas, tokens_per_second, latency_ms, latency_ms <= latency_limit_ms AS is_within,
       price_per_replica_hour * replicas + fixed_per_hour AS hour_cost,
       round((price_per_replica_hour * replicas + fixed_per_hour) * 1000000 / (3600 * tokens_per_second), 6) AS million_tokens
FROM serving_size
JOIN serving_cost USING (statement_month, fleet);

-- Each fleet's cheapest replica count beside the one with the highest throughput, and a sentence
-- that compares them.
CREATE VIEW serving_comparison AS
WITH measured AS (
    SELECT statement_month, fleet, string_agg(replicas::text, ', ' ORDER BY replicas) AS counts
    FROM serving_size
    GROUP BY statement_month, fleet
), low AS (
    SELECT statement_month, fleet, replicas AS cheapest, million_tokens AS cheapest_million, latency_ms AS cheapest_latency_ms
    FROM serving_priced
), high AS (
    SELECT statement_month, fleet, replicas AS highest_throughput, million_tokens AS highest_million, latency_ms AS highest_latency_ms,
           is_within AS highest_is_within
    FROM serving_priced
), quick AS (
    SELECT statement_month, fleet, replicas AS quickest, latency_ms AS quickest_latency_ms
    FROM serving_priced
), compared AS (
    SELECT *, round(highest_million / nullif(cheapest_million, 0) - 1, 12) AS highest_dearer, 'p' || latency_percentile AS percentile
    FROM serving_cost
    LEFT JOIN measured USING (statement_month, fleet)
    LEFT JOIN low USING (statement_month, fleet, cheapest)
    LEFT JOIN high USING (statement_month, fleet, highest_throughput)
    LEFT JOIN quick USING (statement_month, fleet, quickest)
), beside AS (
    SELECT *, CASE WHEN cheapest = highest_throughput THEN 'it has the highest throughput as well'
                   ELSE format('%s, with the highest throughput, cost %s', highest_throughput, round(highest_million, 4))
                        || CASE WHEN highest_dearer IS NULL THEN ''
                                ELSE format(' (%s %% %s)', round(abs(highest_dearer) * 100, 1),
                                            CASE WHEN highest_dearer < 0 THEN 'less' ELSE 'more' END) END
                        || CASE WHEN highest_is_within OR latency_limit_ms IS NULL THEN ''
                                ELSE format(' at %s ms, past the limit', highest_latency_ms) END END AS words
    FROM compared
)
SELECT statement_month, fleet, cost_centre, price_per_replica_hour, price_from, fixed_per_hour, latency_percentile, latency_limit_ms,
       statement_currency, outcome, cheapest, cheapest_million, cheapest_latency_ms, highest_throughput,
       highest_million, highest_latency_ms, highest_dearer,
       CASE outcome
           WHEN 'not measured' THEN
               format('%s: no replica count is measured at %s in this month (serving_measurements.csv)', fleet, percentile)
           WHEN 'no price' THEN format('%s: nothing says what a replica costs: %s', fleet, price_from)
           WHEN 'limit not met' THEN
               format('%s: no measured replica count (%s) is within %s ms at %s; the quickest, %s, takes %s ms', fleet, counts,
                      latency_limit_ms, percentile, quickest, quickest_latency_ms)
           WHEN 'found' THEN
               format('%s: a million output tokens cost %s %s on %s, the cheapest %s; %s. Only measured counts are compared: %s', fleet,
                      round(cheapest_million, 4), statement_currency,
                      cheapest || CASE cheapest WHEN 1 THEN ' replica' ELSE ' replicas' END,
                      CASE WHEN latency_limit_ms IS NULL THEN 'without a latency limit'
                           ELSE format('within %s ms at %s', latency_limit_ms, percentile) END, words, counts)
           ELSE format('%s: %s', fleet, outcome) END AS sentence
FROM beside
JOIN statement USING (statement_month);

-- The cost of planned trainings for the review workbook, with the statement's fits and the latest
-- prices up to its month.
CREATE TABLE planned_training_cost (
    statement_month      date NOT NULL,
    training             text NOT NULL,
    family               text NOT NULL,
    month                text NOT NULL,
    cost_centre          text NOT NULL,
    requested_by         text NOT NULL,
    approved_by          text,
    k                    integer NOT NULL,
    hours                double precision, -- at K; null: `remark` says why
    cost_minor           bigint,
    k_star               integer,
    hours_at_k_star      double precision,
    cost_at_k_star_minor bigint,
    -- what is missing, or why the figures are uncertain; '': nothing
    remark               text NOT NULL,
    waiting_per_hour     double precision, -- what waiting is counted at in k_star; null without one
    PRIMARY KEY (statement_month, training)
);

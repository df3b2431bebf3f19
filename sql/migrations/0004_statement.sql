-- What is published for a month. Every table is keyed by statement_month and replaced in one transaction; a reader
-- sees the old statement or the new one. Money is exact in `numeric` until it is fixed, once, to whole minor units
-- of the statement currency (`minor_units`); every total is a sum of those.

-- Components of true cost, in the order of the waterfall. on_job: stands in the row of an attempt.
CREATE TABLE component (
    component text PRIMARY KEY,
    position  integer NOT NULL UNIQUE,
    title     text NOT NULL,
    on_job    boolean NOT NULL,
    on_bill   boolean NOT NULL
);
INSERT INTO component (component, position, title, on_job, on_bill) VALUES
    ('useful_compute',          1, 'Useful compute',                true,  true),
    ('coordination_waste',      2, 'Coordination waste',            true,  true),
    ('unmeasured_hardware',     3, 'Unmeasured hardware',           true,  true),
    ('failed_runs',             4, 'Failed runs',                   true,  true),
    ('cancelled',               5, 'Cancelled',                     true,  true),
    ('cloud_fees',              6, 'Cloud fees',                    true,  true),
    ('fixed_overhead',          7, 'Fixed overhead, on the bill',   true,  true),
    ('idle',                    8, 'Idle nodes',                    false, true),
    ('unused_commitments',      9, 'Unused commitments',            false, true),
    ('shared_services',        10, 'Shared services',               false, true),
    ('direct_cost',            11, 'Direct cost without job',       false, true),
    ('tax',                    12, 'Tax',                           false, true),
    ('credits',                13, 'Credits',                       false, true),
    ('charge_adjustments',     14, 'Charge adjustments',            false, true),
    ('fixed_overhead_off_bill', 15, 'Fixed overhead, off the bill', true,  false),
    ('engineering_overhead',   16, 'Engineering overhead',          true,  false);

-- What a final state means for the attempt's hardware.
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
    ('UNKNOWN', 'productive');       -- a state we do not know loses no hours; it is reported

-- ISO 4217 minor units that are not two digits.
CREATE TABLE currency_minor_unit (
    currency text PRIMARY KEY,
    digits   integer NOT NULL
);
INSERT INTO currency_minor_unit (currency, digits) VALUES
    ('BIF', 0), ('CLP', 0), ('DJF', 0), ('GNF', 0), ('ISK', 0), ('JPY', 0), ('KMF', 0), ('KRW', 0), ('PYG', 0),
    ('RWF', 0), ('UGX', 0), ('UYI', 0), ('VND', 0), ('VUV', 0), ('XAF', 0), ('XOF', 0), ('XPF', 0),
    ('BHD', 3), ('IQD', 3), ('JOD', 3), ('KWD', 3), ('LYD', 3), ('OMR', 3), ('TND', 3), ('CLF', 4), ('UYW', 4);

CREATE TABLE statement (
    statement_month    date PRIMARY KEY,
    status             text NOT NULL CHECK (status IN ('Preliminary', 'Final')),
    run_id             text NOT NULL, -- hash of as-of, input hashes, configuration and version
    as_of              timestamptz NOT NULL,
    kstar_version      text NOT NULL,
    statement_currency text NOT NULL,
    minor_unit_digits  integer NOT NULL
);

-- Stage 1 of allocation: each line in one or more parts. Σ parts = line in both measures, digit for digit.
CREATE TABLE line_part (
    statement_month date NOT NULL,
    load_id         integer,         -- null: a quarantined row (then file and line say which)
    file_id         integer NOT NULL,
    line_number     bigint NOT NULL,
    row_in_record   smallint NOT NULL DEFAULT 0,
    part            integer NOT NULL,
    invoice_key     bigint NOT NULL,
    closed_month    date,            -- the closed month that the line's charge period begins in; null: none
    rule            smallint NOT NULL, -- 1 to 5: design's rules; 0: by its charge category (prepaid purchase, tax)
    target          text NOT NULL CHECK (target IN ('job', 'pool', 'cost centre', 'prepaid', 'tax', 'unallocated')),
    charge_part     text NOT NULL CHECK (charge_part IN ('hardware', 'fees', 'credits', 'charge_adjustments', 'other')),
    attempt_id      bigint,
    pool            text,
    cost_centre     text,
    reason          text,            -- of what is unallocated
    held_seconds    numeric,         -- node-seconds that this part pays for (share-weighted); hardware parts
    billed_cost     numeric NOT NULL,
    effective_cost  numeric NOT NULL
);
CREATE INDEX line_part_month ON line_part (statement_month, load_id, file_id, line_number, row_in_record);

-- Stage 2: pools and tax, handed on per invoice.
CREATE TABLE shared_part (
    statement_month date NOT NULL,
    invoice_key     bigint NOT NULL,
    shared_kind     text NOT NULL CHECK (shared_kind IN ('pool', 'tax')),
    pool            text NOT NULL,   -- 'tax' for tax
    closed_month    date,            -- the closed month as whose cost it is split; null: as that of the statement's own
    part            integer NOT NULL,
    component       text,            -- of a pool's part; null: nobody describes the pool
    target          text NOT NULL CHECK (target IN ('job', 'cost centre', 'balance sheet', 'unallocated')),
    attempt_id      bigint,
    cost_centre     text,
    gl_account      text,            -- of a balance-sheet part
    reason          text,
    weight          numeric NOT NULL,
    billed_cost     numeric NOT NULL,
    effective_cost  numeric NOT NULL
);

-- Every line of every invoice in the statement, and its proof.
CREATE TABLE statement_invoice (
    statement_month     date NOT NULL,
    invoice_key         bigint NOT NULL,
    source              text NOT NULL,
    invoice_issuer_name text,
    invoice_id          text,
    billing_currency    text NOT NULL,
    exchange_rate       numeric NOT NULL,  -- billing currency to statement currency
    rate_date           date,              -- null where the two currencies are the same
    line_count          bigint NOT NULL,
    quarantined_count   bigint NOT NULL,
    billed_cost         numeric NOT NULL,  -- exact, billing currency: Σ lines (quarantined ones included)
    effective_cost      numeric NOT NULL,
    minor_units         bigint NOT NULL,   -- billed cost in statement currency: the top of the tree of cents
    invoice_amount      numeric,           -- invoices.csv, net + tax; null: not independently confirmed
    invoice_difference  numeric,           -- invoice_amount − billed_cost
    invoice_tolerance   numeric,           -- FOCUS 1.4: max(100 × subunit, √rows × 0.5 × subunit)
    PRIMARY KEY (statement_month, invoice_key)
);

-- The statement's leaves. Within an invoice: Σ minor_units of its rows = statement_invoice.minor_units, because
-- charged + prepaid movement (+ what nothing explains) = invoice. Off the bill: Σ = 0.
CREATE TABLE statement_row (
    statement_month date NOT NULL,
    block           text NOT NULL CHECK (block IN ('invoice', 'off the bill')),
    line_type       text NOT NULL CHECK (line_type IN ('charge', 'unallocated', 'balance sheet', 'prepaid', 'unexplained')),
    invoice_key     bigint,          -- null off the bill
    cost_centre     text,            -- of a charge
    component       text REFERENCES component, -- of a charge
    row_key         text NOT NULL,   -- attempt, pool, service, reason, commitment or account: what the row is about
    attempt_id      bigint,
    pool            text,
    reason          text,            -- of what is unallocated or unexplained
    gl_account      text,
    billed_cost     numeric NOT NULL,  -- exact, billing currency (statement currency off the bill)
    effective_cost  numeric NOT NULL,
    amount          numeric NOT NULL,  -- exact, statement currency: effective; billed − effective of a bridge row
    minor_units     bigint NOT NULL
);
CREATE INDEX statement_row_month ON statement_row (statement_month, cost_centre, component);

-- One row per attempt in the statement. Money in minor units of the statement currency, each dollar in one column.
CREATE TABLE job_result (
    statement_month     date NOT NULL,
    attempt_id          bigint NOT NULL,
    cost_centre         text,        -- null: unallocated, job without cost centre
    family              text,
    outcome             text NOT NULL, -- job_state.outcome
    provisional         boolean NOT NULL,
    k                   integer NOT NULL, -- in the family's unit
    node_hours          double precision NOT NULL, -- held in the month, share-weighted
    wall_hours          double precision NOT NULL, -- in the month
    job_hours           double precision NOT NULL, -- the whole job, up to the horizon
    unpriced_node_hours double precision NOT NULL, -- held but on no bill
    price_per_node_hour double precision, -- p = hardware ÷ priced node-hours
    fixed_per_wall_hour double precision, -- f = its fixed overhead ÷ its wall-hours, plus the cost of waiting
    efficiency          numeric(15,12),   -- E(K); null: not measured
    efficiency_from     text,             -- 'job', 'family', 'profiled'
    useful_compute_minor          bigint NOT NULL,
    coordination_waste_minor      bigint NOT NULL,
    unmeasured_hardware_minor     bigint NOT NULL,
    failed_runs_minor             bigint NOT NULL,
    cancelled_minor               bigint NOT NULL,
    cloud_fees_minor              bigint NOT NULL,
    fixed_overhead_minor          bigint NOT NULL,
    fixed_overhead_off_bill_minor bigint NOT NULL,
    engineering_overhead_minor    bigint NOT NULL,
    true_cost_minor               bigint NOT NULL, -- the sum of the nine
    k_star              integer,
    k_star_interval     text,             -- '7–11', or a set '1, 7–11'; null: none
    k_fastest           integer,
    verdict             text NOT NULL,
    verdict_reason      text NOT NULL,
    low_confidence      boolean NOT NULL,
    next_measurement    text,
    cost_ratio          numeric(15,12),   -- C(K*) ÷ C(K) in money: without the cost of waiting, which decides K* only
    hours_ratio         numeric(18,12),   -- T(K*) ÷ T(K)
    cost_minor          bigint,           -- hardware + fixed overhead: what the verdict is about
    cost_at_k_star_minor bigint,
    excess_minor        bigint,           -- K > K*: cost − cost at K*; a memo, overlaps coordination waste
    cash_saving_minor   bigint,           -- the part on demand or spot
    freed_capacity_minor bigint,          -- the part on committed or owned nodes
    job_hours_at_k_star double precision,
    deadline_hours      double precision,
    deadline_k          integer,          -- cheapest K that meets it; null with a deadline: no K does
    waiver              text,             -- who, why, until when
    state_text          text,             -- the job's as it was known
    start_time          timestamptz,
    end_time            timestamptz,      -- null: it was running
    PRIMARY KEY (statement_month, attempt_id)
);

CREATE TABLE family_fit (
    statement_month  date NOT NULL,
    family           text NOT NULL,
    series           text NOT NULL,    -- accelerator, precision, batch of the measurements used
    scaling          text NOT NULL,
    law              text NOT NULL,    -- 'usl', 'stepped', 'growth', 'none'
    t1_hours         double precision, -- fitted time at smallest_k
    serial_fraction  double precision,
    communication_coefficient double precision,
    step             double precision,
    smallest_k       integer,
    largest_k        integer,
    measurements     integer NOT NULL,
    distinct_k       integer NOT NULL,
    r_squared        double precision,
    largest_residual double precision, -- relative
    low_confidence   boolean NOT NULL,
    reason           text NOT NULL,    -- why this law
    alternatives     text,             -- what the others would have said
    price_per_node_hour double precision, -- of its jobs in the month, for the curve below
    fixed_per_wall_hour double precision,
    k_star           integer,          -- at those prices
    k_star_interval  text,
    k_fastest        integer,
    PRIMARY KEY (statement_month, family)
);

-- Cost against K of a family at its month's prices: the law's curve and the measured points, for charts. Hours are
-- relative to the job that was measured; cost is not money of the bill.
CREATE TABLE family_curve (
    statement_month date NOT NULL,
    family          text NOT NULL,
    k               integer NOT NULL,
    efficiency      double precision,
    hours           double precision,
    cost            double precision,
    measured_hours  double precision,
    measured_cost   double precision,
    PRIMARY KEY (statement_month, family, k)
);

-- What a reader should know of the data, and what keeps a close waiting.
CREATE TABLE statement_note (
    statement_month date NOT NULL,
    kind            text NOT NULL,   -- 'oversubscribed node', 'unpriced node-hours', 'awaiting job records', …
    subject         text NOT NULL,
    quantity        numeric,
    unit            text,
    note            text NOT NULL,
    blocks_close    boolean NOT NULL
);

-- The findings in words, most expensive first.
CREATE TABLE finding (
    statement_month date NOT NULL,
    rank            integer NOT NULL,
    kind            text NOT NULL,
    minor_units     bigint NOT NULL,
    finding         text NOT NULL,
    PRIMARY KEY (statement_month, rank)
);

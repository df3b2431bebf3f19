-- Reference data: what finance and the platform team declare. One table per documented CSV (docs/reference.md);
-- a delivery of a file replaces the content of its table. All rows are effective-dated and half-open:
-- valid_from <= day < valid_to.

CREATE SCHEMA IF NOT EXISTS kstar;

-- Turns the wildcard pattern of a rule ('*' is any text) into one for LIKE.
CREATE FUNCTION glob_to_like(pattern text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN replace(replace(replace(replace(pattern, '\', '\\'), '%', '\%'), '_', '\_'), '*', '%');

-- sources.csv: what is known of a deliverer before its first delivery. A source without a row here has the
-- defaults of the folder it lies in: FOCUS bills, sacct text, UTC.
CREATE TABLE source_configuration (
    source           text PRIMARY KEY,
    kind             text NOT NULL CHECK (kind IN ('billing', 'jobs', 'efficiency')),
    format           text NOT NULL,
    time_zone        text NOT NULL DEFAULT 'UTC',
    billing_currency text,           -- for bills without that column
    delimiter        text            -- for sacct text
);

-- settings.csv: single values (docs/reference.md lists the parameters).
CREATE TABLE setting (
    parameter  text NOT NULL,
    value      text NOT NULL,
    valid_from date NOT NULL DEFAULT '-infinity',
    valid_to   date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (parameter, valid_from)
);

CREATE TABLE cost_centre (
    cost_centre text NOT NULL,
    name        text NOT NULL,
    gl_account  text NOT NULL,
    owner       text,
    valid_from  date NOT NULL DEFAULT '-infinity',
    valid_to    date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (cost_centre, valid_from)
);

-- mapping_rules.csv: who is charged. The lowest priority that matches wins. `match` names a column of the bill
-- (tag:KEY, sub_account_id, billing_account_id, service_name, service_category, resource_id, resource_name,
-- sku_id, charge_category, charge_description, commitment_discount_id, commitment_discount_status,
-- capacity_reservation_status, invoice_issuer_name, source) or of a job (job_account, job_user, job_partition,
-- job_name, job_comment, job_qos, job_cluster). pool_rules and family_rules are written the same way.
CREATE TABLE mapping_rule (
    priority    integer NOT NULL,
    match       text NOT NULL,
    pattern     text NOT NULL,
    cost_centre text NOT NULL,
    valid_from  date NOT NULL DEFAULT '-infinity',
    valid_to    date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (priority, valid_from)
);

-- pools.csv: cost that belongs to no single job. `component` is where its parts stand on the statement;
-- only fixed_overhead with a proportional split by wall_hours or node_hours lands on jobs.
CREATE TABLE pool (
    pool        text NOT NULL,
    component   text NOT NULL CHECK (component IN ('fixed_overhead', 'shared_services', 'idle', 'unused_commitments')),
    owner       text NOT NULL,       -- cost centre: pays what is kept, and what nobody weighs
    split       text NOT NULL CHECK (split IN ('keep', 'even', 'proportional', 'fixed')),
    basis       text CHECK (basis IN ('node_hours', 'wall_hours', 'direct_cost')), -- of a proportional split
    valid_from  date NOT NULL DEFAULT '-infinity',
    valid_to    date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (pool, valid_from),
    CHECK ((split = 'proportional') = (basis IS NOT NULL))
);

CREATE TABLE pool_rule (
    priority   integer NOT NULL,
    match      text NOT NULL,
    pattern    text NOT NULL,
    pool       text NOT NULL,
    valid_from date NOT NULL DEFAULT '-infinity',
    valid_to   date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (priority, valid_from)
);

-- pool_weights.csv: the weights of a fixed split, and who takes part in an even one (any weight; none listed:
-- every cost centre valid on the last day of the month).
CREATE TABLE pool_weight (
    pool        text NOT NULL,
    cost_centre text NOT NULL,
    weight      numeric NOT NULL CHECK (weight >= 0),
    valid_from  date NOT NULL DEFAULT '-infinity',
    valid_to    date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (pool, cost_centre, valid_from)
);

-- nodes.csv: the dated inventory that turns a host name into a cloud resource, and back.
CREATE TABLE node_inventory (
    cluster      text NOT NULL,
    node         text NOT NULL,
    resource_id  text NOT NULL,
    node_type    text,
    accelerators integer NOT NULL DEFAULT 0,
    cpus         integer,
    idle_pool    text,               -- the pool that takes what nobody held; none: unallocated
    valid_from   timestamptz NOT NULL DEFAULT '-infinity',
    valid_to     timestamptz NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (cluster, node, resource_id, valid_from)
);

-- overhead_rates.csv: fixed overhead that is on no bill (streaming pipeline, own monitoring): an amount per hour
-- of the calendar, spread over the wall-hours of the cluster's jobs, credited to its carrier.
CREATE TABLE overhead_rate (
    name            text NOT NULL,
    amount_per_hour numeric NOT NULL,
    currency        text NOT NULL,
    carrier         text NOT NULL,
    cluster         text,            -- none: jobs of all clusters
    valid_from      date NOT NULL DEFAULT '-infinity',
    valid_to        date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (name, valid_from)
);

-- engineering.csv: hours x loaded rate for the dated span, or annual cost x share of time. Spread by node-hours
-- over the jobs of `cost_centre` and `family` (either may be empty: all), credited to its carrier.
CREATE TABLE engineering_time (
    name         text NOT NULL,
    cost_centre  text,
    family       text,
    hours        numeric,
    hourly_rate  numeric,
    annual_cost  numeric,
    time_share   numeric CHECK (time_share BETWEEN 0 AND 1),
    currency     text NOT NULL,
    carrier      text NOT NULL,
    valid_from   date NOT NULL,
    valid_to     date NOT NULL,
    PRIMARY KEY (name, valid_from),
    CHECK ((hours IS NOT NULL AND hourly_rate IS NOT NULL) <> (annual_cost IS NOT NULL AND time_share IS NOT NULL))
);

-- exchange_rates.csv: one unit of `currency` in `statement_currency` on a date.
CREATE TABLE exchange_rate (
    rate_date          date NOT NULL,
    currency           text NOT NULL,
    statement_currency text NOT NULL,
    rate               numeric NOT NULL CHECK (rate > 0),
    PRIMARY KEY (rate_date, currency, statement_currency)
);

-- invoices.csv: what the invoice says (the bill's lines are proved against it).
CREATE TABLE invoice_amount (
    invoice_id          text NOT NULL,
    invoice_issuer_name text NOT NULL,
    currency            text NOT NULL,
    net_amount          numeric NOT NULL,
    tax_amount          numeric NOT NULL DEFAULT 0,
    invoice_date        date NOT NULL,
    PRIMARY KEY (invoice_id, invoice_issuer_name, currency)
);

-- tax_rules.csv: what part of an issuer's tax is recoverable or stands on a prepayment, and its account.
CREATE TABLE tax_rule (
    invoice_issuer_name text NOT NULL,                -- '*' wildcards
    recoverable_share   numeric NOT NULL CHECK (recoverable_share BETWEEN 0 AND 1),
    gl_account          text NOT NULL,                -- balance-sheet account of the recoverable part
    prepaid_gl_account  text,                         -- of tax on a prepayment; none: charged like other tax
    valid_from          date NOT NULL DEFAULT '-infinity',
    valid_to            date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (invoice_issuer_name, valid_from)
);

-- families.csv: what scales alike, and its limits.
CREATE TABLE family (
    family                text NOT NULL,
    unit                  text NOT NULL DEFAULT 'nodes' CHECK (unit IN ('nodes', 'accelerators')),
    accelerators_per_node integer,
    minimum_k             integer NOT NULL DEFAULT 1 CHECK (minimum_k >= 1),
    maximum_k             integer,
    allowed_k             text,      -- '1 2 4 8' or 'powers of two'; none: every K
    goal_work_constant    boolean NOT NULL DEFAULT false, -- weak scaling: the work to the goal does not grow with K
    valid_from            date NOT NULL DEFAULT '-infinity',
    valid_to              date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (family, valid_from)
);

CREATE TABLE family_rule (
    priority   integer NOT NULL,
    match      text NOT NULL,
    pattern    text NOT NULL,
    family     text NOT NULL,
    valid_from date NOT NULL DEFAULT '-infinity',
    valid_to   date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (priority, valid_from)
);

-- deadlines.csv and waivers.csv stand beside a flag; they do not remove the money.
CREATE TABLE deadline (
    match          text NOT NULL,    -- a job_* match as in mapping_rules
    pattern        text NOT NULL,
    deadline_hours numeric NOT NULL CHECK (deadline_hours > 0), -- wall-clock hours of the job
    valid_from     date NOT NULL DEFAULT '-infinity',
    valid_to       date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (match, pattern, valid_from)
);

CREATE TABLE waiver (
    match       text NOT NULL,
    pattern     text NOT NULL,
    approved_by text NOT NULL,
    reason      text NOT NULL,
    valid_from  date NOT NULL DEFAULT '-infinity',
    valid_to    date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (match, pattern, valid_from)
);

-- Which content of each reference file is in force.
CREATE TABLE reference_file (
    name      text PRIMARY KEY,      -- 'cost_centres.csv'
    sha256    text NOT NULL,
    row_count integer NOT NULL
);

-- Reference data: what finance and the platform team declare. One table per documented CSV
-- (docs/reference.md); a delivery of a file replaces the content of its table. Rows with dates are
-- half-open: valid_from <= day < valid_to.

-- Which content of each reference file is in force.
CREATE TABLE reference_file (
    name   text PRIMARY KEY, -- 'cost_centres.csv'
    sha256 text NOT NULL
);

-- sources.csv: what is known of a deliverer before its first delivery. A source without a row here
-- has the defaults of the folder it lies in: FOCUS bills, sacct text, UTC. A source may deliver
-- bills, jobs and nodes under one name.
CREATE TABLE source_configuration (
    source                text NOT NULL,
    kind                  text NOT NULL CHECK (kind IN ('billing', 'jobs', 'nodes', 'efficiency')),
    format                text NOT NULL,
    time_zone             text NOT NULL DEFAULT 'UTC',
    billing_currency      text,    -- for bills without that column
    delimiter             text,    -- for sacct text
    expected_within_hours integer, -- from one delivery to the next; null: nothing is expected
    PRIMARY KEY (source, kind)
);

-- settings.csv: single values (docs/reference.md lists the parameters).
CREATE TABLE setting (
    parameter  text NOT NULL,
    value      text NOT NULL,
    valid_from date NOT NULL DEFAULT '-infinity',
    valid_to   date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (parameter, valid_from)
);

-- cost_centres.csv: who can be charged, and to which account.
CREATE TABLE cost_centre (
    cost_centre text NOT NULL,
    name        text NOT NULL,
    gl_account  text NOT NULL,
    owner       text,
    valid_from  date NOT NULL DEFAULT '-infinity',
    valid_to    date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (cost_centre, valid_from)
);

-- mapping_rules.csv: who is charged. The lowest priority that matches wins. `match` names a column
-- of the bill (tag:KEY, sub_account_id, billing_account_id, service_name, service_category,
-- resource_id, resource_name, sku_id, charge_category, charge_description, commitment_discount_id,
-- commitment_discount_status, capacity_reservation_status, invoice_issuer_name, source) or of a job
-- (job_account, job_user, job_partition, job_name, job_comment, job_qos, job_cluster). pool_rules
-- and family_rules are written the same way.
CREATE TABLE mapping_rule (
    priority    integer NOT NULL,
    match       text NOT NULL,
    pattern     text NOT NULL,
    cost_centre text NOT NULL,
    valid_from  date NOT NULL DEFAULT '-infinity',
    valid_to    date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (priority, valid_from)
);

-- pools.csv: cost that belongs to no single job. `component` is where its parts stand on the
-- statement; only fixed_overhead with a proportional split by wall_hours or node_hours lands on
-- jobs.
CREATE TABLE pool (
    pool          text NOT NULL,
    component     text NOT NULL CHECK (component IN ('fixed_overhead', 'shared_services', 'idle', 'unused_commitments')),
    -- cost centre: pays what is kept, and what nobody weighs
    owner         text NOT NULL,
    split         text NOT NULL CHECK (split IN ('keep', 'even', 'proportional', 'fixed')),
    -- of a proportional split
    basis         text CHECK (basis IN ('node_hours', 'wall_hours', 'direct_cost')),
    valid_from    date NOT NULL DEFAULT '-infinity',
    valid_to      date NOT NULL DEFAULT 'infinity',
    ends_with_job boolean NOT NULL DEFAULT false, -- a job's part is not spent once the job ends
    PRIMARY KEY (pool, valid_from),
    CHECK ((split = 'proportional') = (basis IS NOT NULL))
);

-- pool_rules.csv: which lines of bills a pool takes; written like mapping rules.
CREATE TABLE pool_rule (
    priority   integer NOT NULL,
    match      text NOT NULL,
    pattern    text NOT NULL,
    pool       text NOT NULL,
    valid_from date NOT NULL DEFAULT '-infinity',
    valid_to   date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (priority, valid_from)
);

-- pool_weights.csv: the weights of a fixed split, and who takes part in an even one (any weight;
-- none listed: every cost centre valid on the last day of the month).
CREATE TABLE pool_weight (
    pool        text NOT NULL,
    cost_centre text NOT NULL,
    weight      numeric NOT NULL CHECK (weight >= 0),
    valid_from  date NOT NULL DEFAULT '-infinity',
    valid_to    date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (pool, cost_centre, valid_from)
);

-- overhead_rates.csv: fixed overhead that is on no bill (streaming pipeline, own monitoring): an
-- amount per hour of the calendar, spread over the wall-hours of the cluster's jobs, credited to
-- its carrier.
CREATE TABLE overhead_rate (
    name            text NOT NULL,
    amount_per_hour numeric NOT NULL,
    currency        text NOT NULL,
    carrier         text NOT NULL,
    cluster         text, -- none: jobs of all clusters
    valid_from      date NOT NULL DEFAULT '-infinity',
    valid_to        date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (name, valid_from)
);

-- engineering.csv: hours x loaded rate for the dated span, or annual cost x share of time. Spread
-- by node-hours over the jobs of `cost_centre` and `family` (either may be empty: all), credited to
-- its carrier.
CREATE TABLE engineering_time (
    name        text NOT NULL,
    cost_centre text,
    family      text,
    hours       numeric,
    hourly_rate numeric,
    annual_cost numeric,
    time_share  numeric CHECK (time_share BETWEEN 0 AND 1),
    currency    text NOT NULL,
    carrier     text NOT NULL,
    valid_from  date NOT NULL,
    valid_to    date NOT NULL,
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

-- tax_rules.csv: what part of an issuer's tax is recoverable or stands on a prepayment, and its
-- account.
CREATE TABLE tax_rule (
    invoice_issuer_name text NOT NULL, -- '*' wildcards
    recoverable_share   numeric NOT NULL CHECK (recoverable_share BETWEEN 0 AND 1),
    gl_account          text NOT NULL, -- balance-sheet account of the recoverable part
    prepaid_gl_account  text,          -- of tax on a prepayment; none: it is unallocated
    valid_from          date NOT NULL DEFAULT '-infinity',
    valid_to            date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (invoice_issuer_name, valid_from)
);

-- nodes.csv: the dated inventory that turns a host name into a cloud resource, and back. Where it
-- and a delivery speak of the same node or resource, nodes.csv wins.
CREATE TABLE declared_node (
    cluster      text NOT NULL,
    node         text NOT NULL,
    resource_id  text NOT NULL,
    node_type    text,
    accelerators integer NOT NULL DEFAULT 0,
    cpus         integer,
    idle_pool    text, -- the pool that takes what nobody held; none: unallocated
    valid_from   timestamptz NOT NULL DEFAULT '-infinity',
    valid_to     timestamptz NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (cluster, node, resource_id, valid_from)
);

-- node_types.csv: what a delivered node has that its delivery does not say. '': nodes of a type
-- that no other row names.
CREATE TABLE node_type (
    cluster      text NOT NULL,
    node_type    text NOT NULL DEFAULT '',
    accelerators integer,
    cpus         integer,
    idle_pool    text,
    PRIMARY KEY (cluster, node_type)
);

-- node_rates.csv: what nodes without a bill cost inside the company (own hardware, or a cluster
-- that is billed as a service): an amount per node-hour of a cluster's nodes of one type; '': of
-- those that no other row names. Jobs are charged by it internally, and the nodes' owner is
-- credited.
CREATE TABLE node_rate (
    cluster              text NOT NULL,
    node_type            text NOT NULL DEFAULT '',
    amount_per_node_hour numeric NOT NULL CHECK (amount_per_node_hour >= 0),
    currency             text NOT NULL,
    owner                text NOT NULL, -- cost centre: is credited
    valid_from           date NOT NULL DEFAULT '-infinity',
    valid_to             date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (cluster, node_type, valid_from)
);

-- node_accelerators.csv: what accelerator a node has, by its type, and what accelerator a type of
-- the scheduler's is. '' as cluster or node type: of those that no other row names; a row with the
-- type goes first. '' as the scheduler's type: the row is one of nodes.
CREATE TABLE node_accelerator (
    cluster     text NOT NULL DEFAULT '',
    node_type   text NOT NULL DEFAULT '',
    gres_type   text NOT NULL DEFAULT '',
    accelerator text NOT NULL, -- as measurements have it
    valid_from  date NOT NULL DEFAULT '-infinity',
    valid_to    date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (cluster, node_type, gres_type, valid_from)
);

-- node_power.csv: what nodes draw (docs/energy.md). '' as cluster or node type: of those that no
-- other row names; a row with the type goes first.
CREATE TABLE node_power (
    cluster       text NOT NULL DEFAULT '',
    node_type     text NOT NULL DEFAULT '',
    -- a node, its accelerators included, while a job holds it
    watts_at_load numeric NOT NULL CHECK (watts_at_load >= 0),
    watts_idle    numeric NOT NULL CHECK (watts_idle >= 0), -- while nobody does
    valid_from    date NOT NULL DEFAULT '-infinity',
    valid_to      date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (cluster, node_type, valid_from)
);

-- grid_intensity.csv: what the grid emits, by day.
CREATE TABLE grid_intensity (
    cluster       text NOT NULL DEFAULT '',
    grams_per_kwh numeric NOT NULL CHECK (grams_per_kwh >= 0), -- CO2e
    -- what the building draws ÷ what its nodes draw
    pue           numeric NOT NULL DEFAULT 1 CHECK (pue >= 1),
    valid_from    date NOT NULL DEFAULT '-infinity',
    valid_to      date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (cluster, valid_from)
);

-- refund_rules.csv: attempts that the system broke are charged to a pool instead of their team, up
-- to a number of hours of each: in which states, of which cluster ('': of those that no other row
-- names), to which pool.
CREATE TABLE refund_rule (
    state         text NOT NULL CHECK (state IN ('NODE_FAIL', 'BOOT_FAIL', 'PREEMPTED')),
    cluster       text NOT NULL DEFAULT '',
    pool          text NOT NULL,
    maximum_hours numeric CHECK (maximum_hours > 0), -- of one attempt's run time; null: all of it
    valid_from    date NOT NULL DEFAULT '-infinity',
    valid_to      date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (state, cluster, valid_from)
);

-- families.csv: what scales alike, and its limits.
CREATE TABLE family (
    family                text NOT NULL,
    unit                  text NOT NULL DEFAULT 'nodes' CHECK (unit IN ('nodes', 'accelerators')),
    accelerators_per_node integer,
    minimum_k             integer NOT NULL DEFAULT 1 CHECK (minimum_k >= 1),
    maximum_k             integer,
    -- '1 2 4 8' or 'powers of two'; none: every K
    allowed_k             text,
    -- weak scaling: the work to the goal does not grow with K
    goal_work_constant    boolean NOT NULL DEFAULT false,
    valid_from            date NOT NULL DEFAULT '-infinity',
    valid_to              date NOT NULL DEFAULT 'infinity',
    -- null: the setting of that name
    waiting_cost_per_hour numeric CHECK (waiting_cost_per_hour >= 0),
    PRIMARY KEY (family, valid_from)
);

-- family_rules.csv: which jobs are of a family; written like mapping rules.
CREATE TABLE family_rule (
    priority   integer NOT NULL,
    match      text NOT NULL,
    pattern    text NOT NULL,
    family     text NOT NULL,
    valid_from date NOT NULL DEFAULT '-infinity',
    valid_to   date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (priority, valid_from)
);

-- deadlines.csv: how long the jobs that match may take. A deadline is shown beside a flag and does
-- not remove its money.
CREATE TABLE deadline (
    match          text NOT NULL, -- a job_* match as in mapping_rules
    pattern        text NOT NULL,
    deadline_hours numeric NOT NULL CHECK (deadline_hours > 0), -- wall-clock hours of the job
    valid_from     date NOT NULL DEFAULT '-infinity',
    valid_to       date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (match, pattern, valid_from)
);

-- waivers.csv: jobs that somebody has approved to keep their size. Like a deadline, a waiver does
-- not remove the money of a flag.
CREATE TABLE waiver (
    match       text NOT NULL,
    pattern     text NOT NULL,
    approved_by text NOT NULL,
    reason      text NOT NULL,
    valid_from  date NOT NULL DEFAULT '-infinity',
    valid_to    date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (match, pattern, valid_from)
);

-- interruptions.csv: what interrupts jobs, by family ('': of those that no other row names) and by
-- what the job runs on. Runs that write checkpoints take longer by 1 + sqrt(2 × checkpoint × K ×
-- rate) + K × rate × restart, which moves K*.
CREATE TABLE interruption (
    family             text NOT NULL DEFAULT '',
    capacity           text NOT NULL CHECK (capacity IN ('on demand', 'spot')),
    rate_per_node_hour text NOT NULL, -- a decimal, or 'measured': node failures ÷ node-hours
    -- writing one checkpoint
    checkpoint_hours   numeric NOT NULL DEFAULT 0 CHECK (checkpoint_hours >= 0),
    -- from an interruption to running again
    restart_hours      numeric NOT NULL DEFAULT 0 CHECK (restart_hours >= 0),
    valid_from         date NOT NULL DEFAULT '-infinity',
    valid_to           date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (family, capacity, valid_from)
);

-- run_groups.csv: jobs that match and agree in `same` are attempts at one result, one after the
-- other, until one succeeds. Such are jobs that somebody submitted again by hand after they failed.
CREATE TABLE declared_run_group (
    priority     integer NOT NULL,
    match        text NOT NULL,
    pattern      text NOT NULL,
    same         text NOT NULL CHECK (same IN ('job_name', 'job_name and user', 'family', 'family and user')),
    -- from the end of one to the start of the next
    within_hours numeric NOT NULL CHECK (within_hours > 0),
    valid_from   date NOT NULL DEFAULT '-infinity',
    valid_to     date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (priority, valid_from)
);

-- run_group_units.csv: what a run group delivered, and when: it counts in the month of that day,
-- with all that it cost so far (docs/unit-costs.md).
CREATE TABLE run_group_unit (
    run_group      text PRIMARY KEY,
    models         integer NOT NULL DEFAULT 1 CHECK (models >= 0),
    trained_tokens numeric CHECK (trained_tokens > 0), -- null: as the job records say
    delivered_on   date NOT NULL
);

-- serving_fleets.csv: a fleet that serves models, for what a million output tokens cost by the
-- number of replicas (docs/unit-costs.md). Amounts are in statement currency. The price of a
-- replica is declared, or that of the bill's lines that match.
CREATE TABLE serving_fleet (
    fleet                  text NOT NULL,
    cost_centre            text NOT NULL,
    price_per_replica_hour numeric CHECK (price_per_replica_hour >= 0),
    match                  text,
    pattern                text,
    -- of the matching lines' nodes
    nodes_per_replica      numeric NOT NULL DEFAULT 1 CHECK (nodes_per_replica > 0),
    -- whatever the number of replicas
    fixed_per_hour         numeric NOT NULL DEFAULT 0 CHECK (fixed_per_hour >= 0),
    latency_percentile     numeric NOT NULL DEFAULT 95 CHECK (latency_percentile > 0 AND latency_percentile <= 100),
    latency_limit_ms       numeric CHECK (latency_limit_ms > 0), -- null: none
    valid_from             date NOT NULL DEFAULT '-infinity',
    valid_to               date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (fleet, valid_from),
    CHECK (num_nonnulls(price_per_replica_hour, match) = 1 AND num_nonnulls(match, pattern) <> 1)
);

-- serving_measurements.csv: what a fleet of so many replicas was measured to serve.
CREATE TABLE serving_measurement (
    fleet              text NOT NULL,
    replicas           integer NOT NULL CHECK (replicas > 0),
    latency_percentile numeric NOT NULL DEFAULT 95 CHECK (latency_percentile > 0 AND latency_percentile <= 100),
    latency_ms         numeric NOT NULL CHECK (latency_ms >= 0),
    -- output tokens, of all replicas together
    tokens_per_second  numeric NOT NULL CHECK (tokens_per_second > 0),
    valid_from         date NOT NULL DEFAULT '-infinity',
    valid_to           date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (fleet, replicas, latency_percentile, valid_from)
);

-- budgets.csv: what a cost centre may cost in a month (docs/budgets.md). Amounts are in statement
-- currency; thresholds in percent, '80 100' or 'none'; null: as settings.csv has them.
CREATE TABLE budget (
    cost_centre         text NOT NULL,
    month               text NOT NULL CHECK (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
    amount              numeric NOT NULL CHECK (amount >= 0),
    spent_thresholds    text,
    forecast_thresholds text,
    PRIMARY KEY (cost_centre, month)
);

-- planned_trainings.csv: what is to be run, for somebody to approve (docs/budgets.md). Not frozen
-- with a statement: a plan is of no statement.
CREATE TABLE planned_training (
    training       text PRIMARY KEY,
    family         text NOT NULL,
    -- what it would take on one node that loses nothing
    one_node_hours numeric NOT NULL CHECK (one_node_hours > 0),
    k              integer NOT NULL CHECK (k > 0),
    month          text NOT NULL CHECK (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
    cost_centre    text NOT NULL,
    requested_by   text NOT NULL,
    approved_by    text
);

-- commitments.csv: when a commitment ends (docs/scenarios.md). Until then what it costs is a floor
-- of every scenario. Not frozen: a scenario is of no statement. '': any.
CREATE TABLE commitment_end (
    -- as bills name it: CommitmentDiscountId, of a capacity reservation its id
    commitment text NOT NULL DEFAULT '',
    -- as bills name it, else their source; 'own nodes': those on no bill
    provider   text NOT NULL DEFAULT '',
    sku        text NOT NULL DEFAULT '',
    ends_on    date NOT NULL,            -- the first day that is not paid any more
    PRIMARY KEY (commitment, provider, sku)
);

-- journal_columns.csv: the columns of journal-YYYY-MM.csv, from left to right; none: the default
-- ones.
CREATE TABLE journal_column (
    position   integer NOT NULL,
    heading    text NOT NULL,
    field      text NOT NULL,
    valid_from date NOT NULL DEFAULT '-infinity',
    valid_to   date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (position, valid_from)
);

-- What managers decided on flagged jobs, in the decision columns of a review workbook.
CREATE TABLE review_decision (
    declared_in  text NOT NULL,   -- 'review-2026-09.xlsx'
    review_month date NOT NULL,
    -- the job decided on; no reference: reviews may come before job records
    attempt_id   bigint NOT NULL,
    resize_to    integer CHECK (resize_to > 0),
    accept_until date CHECK (accept_until > review_month), -- the first day that is not accepted
    reason       text,
    decided_by   text,
    PRIMARY KEY (declared_in, attempt_id)
);
CREATE INDEX ON review_decision (attempt_id);

-- The reference tables that hold choices: they are frozen with a statement when it is closed. Node
-- inventory and sources are facts: they are read as they are today.
CREATE FUNCTION choice_tables() RETURNS text[]
LANGUAGE sql IMMUTABLE
RETURN '{setting, cost_centre, mapping_rule, pool, pool_rule, pool_weight, overhead_rate, engineering_time, exchange_rate,
         invoice_amount, tax_rule, family, family_rule, deadline, waiver, measurement, node_rate, refund_rule, interruption,
         journal_column, budget, node_power, grid_intensity, run_group_unit, serving_fleet, serving_measurement,
         node_accelerator}'::text[];

-- The choices that lines and jobs are ruled by on their own day, also in a closed month
-- (allocate/01_rules.sql).
CREATE FUNCTION dated_rule_tables() RETURNS text[] LANGUAGE sql IMMUTABLE
    RETURN ARRAY['mapping_rule', 'pool_rule', 'family_rule', 'refund_rule'];

-- The value of a setting on the last day of a month, or its default: today's choices, not those of
-- a closed statement.
CREATE FUNCTION setting_in_force(of_month date, name text, default_value text) RETURNS text
LANGUAGE sql STABLE
RETURN coalesce((SELECT value
                 FROM kstar.setting
                 WHERE parameter = name AND valid_from < of_month + interval '1 month' AND valid_to >= of_month + interval '1 month'
                 ORDER BY valid_from DESC LIMIT 1), default_value);

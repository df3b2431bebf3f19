-- Reference data: what finance and the platform team declare. One table per documented CSV
-- (docs/reference.md); a delivery of a file replaces the content of its table. Rows with dates are
-- half-open: valid_from <= day < valid_to.

-- The content of each reference file that is in force.
CREATE TABLE reference_file (
    name   text PRIMARY KEY, -- 'cost_centres.csv'
    sha256 text NOT NULL
);

-- sources.csv: the configuration of a source. A source without a row has the defaults of its
-- folder: FOCUS bills, sacct text, UTC. One source may deliver bills, jobs and nodes.
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

-- mapping_rules.csv: who is charged. The matching rule with the lowest priority number wins.
-- `match` names a column of the bill (tag:KEY, sub_account_id, billing_account_id, service_name,
-- service_category, resource_id, resource_name, sku_id, charge_category, charge_description,
-- commitment_discount_id, commitment_discount_status, capacity_reservation_status,
-- invoice_issuer_name, source) or of a job (job_account, job_user, job_partition, job_name,
-- job_comment, job_qos, job_cluster). pool_rules and family_rules are written in the same way.
CREATE TABLE mapping_rule (
    priority    integer NOT NULL,
    match       text NOT NULL,
    pattern     text NOT NULL,
    cost_centre text NOT NULL,
    valid_from  date NOT NULL DEFAULT '-infinity',
    valid_to    date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (priority, valid_from)
);

-- pools.csv: cost that belongs to no single job. `component` is the component of its parts on the
-- statement. Only fixed_overhead with a proportional split by wall_hours or node_hours is charged
-- to jobs.
CREATE TABLE pool (
    pool          text NOT NULL,
    component     text NOT NULL CHECK (component IN ('fixed_overhead', 'shared_services', 'idle', 'unused_commitments')),
    -- cost centre that pays a kept pool, and a pool that nobody has a weight in
    owner         text NOT NULL,
    split         text NOT NULL CHECK (split IN ('keep', 'even', 'proportional', 'fixed')),
    -- the basis of a proportional split
    basis         text CHECK (basis IN ('node_hours', 'wall_hours', 'direct_cost')),
    valid_from    date NOT NULL DEFAULT '-infinity',
    valid_to      date NOT NULL DEFAULT 'infinity',
    ends_with_job boolean NOT NULL DEFAULT false, -- a job's part is not spent once the job ends
    PRIMARY KEY (pool, valid_from),
    CHECK ((split = 'proportional') = (basis IS NOT NULL))
);

-- pool_rules.csv: the bill lines of each pool; written like mapping rules.
CREATE TABLE pool_rule (
    priority   integer NOT NULL,
    match      text NOT NULL,
    pattern    text NOT NULL,
    pool       text NOT NULL,
    valid_from date NOT NULL DEFAULT '-infinity',
    valid_to   date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (priority, valid_from)
);

-- pool_weights.csv: the weights of a fixed split, and the cost centres of an even split (any
-- weight). Without rows an even split has all cost centres that are valid on the last day of the
-- month.
CREATE TABLE pool_weight (
    pool        text NOT NULL,
    cost_centre text NOT NULL,
    weight      numeric NOT NULL CHECK (weight >= 0),
    valid_from  date NOT NULL DEFAULT '-infinity',
    valid_to    date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (pool, cost_centre, valid_from)
);

-- overhead_rates.csv: fixed overhead that is on no bill, as of a pipeline or of monitoring: an
-- amount per hour of the calendar. It is spread over the wall-hours of the cluster's jobs and
-- credited to its carrier.
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

-- engineering.csv: hours × loaded rate for a span of days, or annual cost × share of time. It is
-- spread over the node-hours of the jobs of `cost_centre` and `family` (empty: all) and credited to
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

-- invoices.csv: the amounts of invoices, with which the bill's lines are compared.
CREATE TABLE invoice_amount (
    invoice_id          text NOT NULL,
    invoice_issuer_name text NOT NULL,
    currency            text NOT NULL,
    net_amount          numeric NOT NULL,
    tax_amount          numeric NOT NULL DEFAULT 0,
    invoice_date        date NOT NULL,
    PRIMARY KEY (invoice_id, invoice_issuer_name, currency)
);

-- tax_rules.csv: the recoverable part of an issuer's tax, and the accounts of recoverable tax and
-- of tax on prepayments.
CREATE TABLE tax_rule (
    invoice_issuer_name text NOT NULL, -- '*' wildcards
    recoverable_share   numeric NOT NULL CHECK (recoverable_share BETWEEN 0 AND 1),
    gl_account          text NOT NULL, -- balance-sheet account of the recoverable part
    prepaid_gl_account  text,          -- for tax on a prepayment; null: it is unallocated
    valid_from          date NOT NULL DEFAULT '-infinity',
    valid_to            date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (invoice_issuer_name, valid_from)
);

-- nodes.csv: the inventory that maps a host name to a cloud resource, with dates. If nodes.csv and
-- a delivery have the same node or resource, nodes.csv wins.
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

-- node_types.csv: properties of delivered nodes that the delivery does not have. '': nodes of a
-- type without a row.
CREATE TABLE node_type (
    cluster      text NOT NULL,
    node_type    text NOT NULL DEFAULT '',
    accelerators integer,
    cpus         integer,
    idle_pool    text,
    PRIMARY KEY (cluster, node_type)
);

-- node_rates.csv: the internal price of nodes without a bill (own hardware, or a cluster that is
-- billed as a service): an amount per node-hour for a node type of a cluster; '': types without a
-- row. Jobs are charged with it internally, and the owner of the nodes is credited.
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

-- node_accelerators.csv: the accelerator of each node type, and of each accelerator type of the
-- scheduler. '' as cluster or node type: those without a row; a row with the type takes precedence.
-- '' as the scheduler's type: the row is for nodes.
CREATE TABLE node_accelerator (
    cluster     text NOT NULL DEFAULT '',
    node_type   text NOT NULL DEFAULT '',
    gres_type   text NOT NULL DEFAULT '',
    accelerator text NOT NULL, -- as measurements have it
    valid_from  date NOT NULL DEFAULT '-infinity',
    valid_to    date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (cluster, node_type, gres_type, valid_from)
);

-- node_power.csv: the power of nodes (docs/energy.md). '' as cluster or node type: those without a
-- row; a row with the type takes precedence.
CREATE TABLE node_power (
    cluster       text NOT NULL DEFAULT '',
    node_type     text NOT NULL DEFAULT '',
    -- power of a node with its accelerators, while a job holds it
    watts_at_load numeric NOT NULL CHECK (watts_at_load >= 0),
    watts_idle    numeric NOT NULL CHECK (watts_idle >= 0), -- while nobody does
    valid_from    date NOT NULL DEFAULT '-infinity',
    valid_to      date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (cluster, node_type, valid_from)
);

-- grid_intensity.csv: emissions of the grid, by day.
CREATE TABLE grid_intensity (
    cluster       text NOT NULL DEFAULT '',
    grams_per_kwh numeric NOT NULL CHECK (grams_per_kwh >= 0), -- CO2e
    -- PUE: power of the building ÷ power of its nodes
    pue           numeric NOT NULL DEFAULT 1 CHECK (pue >= 1),
    valid_from    date NOT NULL DEFAULT '-infinity',
    valid_to      date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (cluster, valid_from)
);

-- refund_rules.csv: attempts that the system ended are charged to a pool instead of their team, up
-- to a number of hours each. A row has the state, the cluster ('': clusters without a row) and the
-- pool.
CREATE TABLE refund_rule (
    state         text NOT NULL CHECK (state IN ('NODE_FAIL', 'BOOT_FAIL', 'PREEMPTED')),
    cluster       text NOT NULL DEFAULT '',
    pool          text NOT NULL,
    maximum_hours numeric CHECK (maximum_hours > 0), -- of one attempt's run time; null: all of it
    valid_from    date NOT NULL DEFAULT '-infinity',
    valid_to      date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (state, cluster, valid_from)
);

-- families.csv: families of jobs that scale alike, with their limits.
CREATE TABLE family (
    family                text NOT NULL,
    unit                  text NOT NULL DEFAULT 'nodes' CHECK (unit IN ('nodes', 'accelerators')),
    accelerators_per_node integer,
    minimum_k             integer NOT NULL DEFAULT 1 CHECK (minimum_k >= 1),
    maximum_k             integer,
    -- '1 2 4 8' or 'powers of two'; none: every K
    allowed_k             text,
    -- weak scaling: whether the work to the goal stays the same when K grows
    goal_work_constant    boolean NOT NULL DEFAULT false,
    valid_from            date NOT NULL DEFAULT '-infinity',
    valid_to              date NOT NULL DEFAULT 'infinity',
    -- null: the setting of the same name counts
    waiting_cost_per_hour numeric CHECK (waiting_cost_per_hour >= 0),
    PRIMARY KEY (family, valid_from)
);

-- family_rules.csv: the jobs of each family; written like mapping rules.
CREATE TABLE family_rule (
    priority   integer NOT NULL,
    match      text NOT NULL,
    pattern    text NOT NULL,
    family     text NOT NULL,
    valid_from date NOT NULL DEFAULT '-infinity',
    valid_to   date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (priority, valid_from)
);

-- deadlines.csv: how long matching jobs may take. A deadline is shown beside a flag and does not
-- remove its money.
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

-- interruptions.csv: rates at which jobs are interrupted, by family ('': families without a row)
-- and by the capacity that a job runs on. Jobs that write checkpoints take longer by the factor 1 +
-- sqrt(2 × checkpoint × K × rate) + K × rate × restart, which changes K*.
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

-- run_groups.csv: matching jobs with the same values of `same` are attempts at one result, one
-- after the other, until one succeeds: jobs that somebody submitted again by hand after they
-- failed.
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

-- run_group_units.csv: what a run group delivered, and on which day. It counts in the month of that
-- day, with the whole cost so far (docs/unit-costs.md).
CREATE TABLE run_group_unit (
    run_group      text PRIMARY KEY,
    models         integer NOT NULL DEFAULT 1 CHECK (models >= 0),
    trained_tokens numeric CHECK (trained_tokens > 0), -- null: as the job records say
    delivered_on   date NOT NULL
);

-- serving_fleets.csv: a fleet that serves models, for the cost of a million output tokens by the
-- number of replicas (docs/unit-costs.md). Amounts are in statement currency. The price of a
-- replica is declared, or is that of the matching bill lines.
CREATE TABLE serving_fleet (
    fleet                  text NOT NULL,
    cost_centre            text NOT NULL,
    price_per_replica_hour numeric CHECK (price_per_replica_hour >= 0),
    match                  text,
    pattern                text,
    -- nodes of the matching lines for a replica
    nodes_per_replica      numeric NOT NULL DEFAULT 1 CHECK (nodes_per_replica > 0),
    -- an amount per hour for any number of replicas
    fixed_per_hour         numeric NOT NULL DEFAULT 0 CHECK (fixed_per_hour >= 0),
    latency_percentile     numeric NOT NULL DEFAULT 95 CHECK (latency_percentile > 0 AND latency_percentile <= 100),
    latency_limit_ms       numeric CHECK (latency_limit_ms > 0), -- null: none
    valid_from             date NOT NULL DEFAULT '-infinity',
    valid_to               date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (fleet, valid_from),
    CHECK (num_nonnulls(price_per_replica_hour, match) = 1 AND num_nonnulls(match, pattern) <> 1)
);

-- serving_measurements.csv: measured throughput and latency of a fleet with a number of replicas.
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

-- budgets.csv: the budget of a cost centre for a month (docs/budgets.md). Amounts are in statement
-- currency; thresholds are percentages, '80 100' or 'none'; null: those of settings.csv.
CREATE TABLE budget (
    cost_centre         text NOT NULL,
    month               text NOT NULL CHECK (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
    amount              numeric NOT NULL CHECK (amount >= 0),
    spent_thresholds    text,
    forecast_thresholds text,
    PRIMARY KEY (cost_centre, month)
);

-- planned_trainings.csv: trainings to be approved (docs/budgets.md). They are not frozen with a
-- statement, because a plan belongs to no statement.
CREATE TABLE planned_training (
    training       text PRIMARY KEY,
    family         text NOT NULL,
    -- hours on one node without any loss
    one_node_hours numeric NOT NULL CHECK (one_node_hours > 0),
    k              integer NOT NULL CHECK (k > 0),
    month          text NOT NULL CHECK (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
    cost_centre    text NOT NULL,
    requested_by   text NOT NULL,
    approved_by    text
);

-- commitments.csv: when a commitment ends (docs/scenarios.md). Until then its cost is a floor of
-- each scenario. Not frozen: a scenario belongs to no statement. '': any.
CREATE TABLE commitment_end (
    -- as bills name it: CommitmentDiscountId, of a capacity reservation its id
    commitment text NOT NULL DEFAULT '',
    -- as bills name it, else their source; 'own nodes': those on no bill
    provider   text NOT NULL DEFAULT '',
    sku        text NOT NULL DEFAULT '',
    ends_on    date NOT NULL,            -- the first day that is not paid any more
    PRIMARY KEY (commitment, provider, sku)
);

-- journal_columns.csv: the columns of journal-YYYY-MM.csv, from left to right. Without rows: the
-- default columns.
CREATE TABLE journal_column (
    position   integer NOT NULL,
    heading    text NOT NULL,
    field      text NOT NULL,
    valid_from date NOT NULL DEFAULT '-infinity',
    valid_to   date NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (position, valid_from)
);

-- Decisions of managers on flagged jobs, from the decision columns of a review workbook.
CREATE TABLE review_decision (
    declared_in  text NOT NULL,   -- 'review-2026-09.xlsx'
    review_month date NOT NULL,
    -- the job; no foreign key, because reviews may be read before job records
    attempt_id   bigint NOT NULL,
    resize_to    integer CHECK (resize_to > 0),
    accept_until date CHECK (accept_until > review_month), -- the first day that is not accepted
    reason       text,
    decided_by   text,
    PRIMARY KEY (declared_in, attempt_id)
);
CREATE INDEX ON review_decision (attempt_id);

-- The reference tables with choices. They are frozen with a statement at its close. Node inventory
-- and sources are facts, and always read as they are today.
CREATE FUNCTION choice_tables() RETURNS text[]
LANGUAGE sql IMMUTABLE
RETURN '{setting, cost_centre, mapping_rule, pool, pool_rule, pool_weight, overhead_rate, engineering_time, exchange_rate,
         invoice_amount, tax_rule, family, family_rule, deadline, waiver, measurement, node_rate, refund_rule, interruption,
         journal_column, budget, node_power, grid_intensity, run_group_unit, serving_fleet, serving_measurement,
         node_accelerator}'::text[];

-- The tables of rules that apply to lines and jobs on their own day, also in a closed month
-- (allocate/01_rules.sql).
CREATE FUNCTION dated_rule_tables() RETURNS text[] LANGUAGE sql IMMUTABLE
    RETURN ARRAY['mapping_rule', 'pool_rule', 'family_rule', 'refund_rule'];

-- The value of a setting on the last day of a month, or its default: by today's choices, not those
-- of a closed statement.
CREATE FUNCTION setting_in_force(of_month date, name text, default_value text) RETURNS text
LANGUAGE sql STABLE
RETURN coalesce((SELECT value
                 FROM kstar.setting
                 WHERE parameter = name AND valid_from < of_month + interval '1 month' AND valid_to >= of_month + interval '1 month'
                 ORDER BY valid_from DESC LIMIT 1), default_value);

-- Who pays each cent of a statement, before it is fixed.

-- Who pays: what one payer bears of an invoice is one row, however many lines it is of. Σ charges
-- of an invoice = Σ its lines, in billed and in effective cost, digit for digit. No key is unique
-- in a month: readers sum.
CREATE TABLE charge (
    invoice_key             bigint NOT NULL,
    -- of a job; of what is refunded to a pool, the attempt that the system broke
    attempt_id              bigint,
    -- the node of what is idle or awaits job records, by the least key of its id; else 0
    resource_key            bigint NOT NULL,
    line_count              bigint NOT NULL,   -- parts of lines
    statement_month         date NOT NULL,
    -- the closed month that the charge period begins in; null: none
    closed_month            date,
    -- 1 to 5: the rules of docs/allocation.md; 0: by its charge category (prepaid purchase, tax)
    rule                    smallint NOT NULL,
    -- a correction of hours of the node that this statement does not have
    is_of_another_statement boolean NOT NULL,
    charge_part             text NOT NULL CHECK (charge_part IN ('hardware', 'fees', 'credits', 'charge_adjustments', 'other')),
    target                  text NOT NULL CHECK (target IN ('job', 'pool', 'cost centre', 'prepaid', 'tax', 'unallocated')),
    pool                    text,
    cost_centre             text,
    -- of what is unallocated; of what is refunded: 'refunded: ' and the state
    reason                  text,
    billed_cost             numeric NOT NULL,
    effective_cost          numeric NOT NULL,
    charged_cost            numeric NOT NULL,  -- effective cost of lines that cost more than 0
    -- of it, of lines that a commitment or a reservation priced
    committed_cost          numeric NOT NULL,
    spot_cost               numeric NOT NULL,  -- effective cost of lines at a dynamic price
    -- node-seconds that it pays for (share-weighted), each second of a node once
    priced_seconds          numeric NOT NULL
);
-- The rows of a month lie together, and most tables have few months: an index of blocks is enough.
CREATE INDEX charge_month ON charge USING brin (statement_month);

-- What was bought: the same parts of lines, added up by class of line. An attempt is known by cost
-- centre, family and outcome alone, so there are few rows however many attempts there are.
CREATE TABLE class_charge (
    statement_month  date NOT NULL,
    invoice_key      bigint NOT NULL,
    charge_part      text NOT NULL,
    closed_month     date,
    charge_kind_key  bigint NOT NULL,  -- 0: of a quarantined row
    commitment_key   bigint NOT NULL,  -- 0: none
    provider_name    text,
    service_name     text,
    service_category text,
    sku_id           text,
    is_long          boolean NOT NULL, -- charge period of more than 7 days
    target           text NOT NULL,    -- as in charge
    pool             text,
    cost_centre      text,             -- of a job: its own; null: it has none
    family           text,             -- of a job
    outcome          text,             -- of a job
    reason           text,             -- of what is unallocated
    line_count       bigint NOT NULL,  -- parts of lines
    unlisted_count   bigint NOT NULL,  -- of them, of lines without a list cost
    billed_cost      numeric NOT NULL,
    effective_cost   numeric NOT NULL,
    -- where a line has none, its contracted, else its effective cost (0 of an unused commitment)
    list_cost        numeric NOT NULL,
    contracted_cost  numeric NOT NULL
);
CREATE INDEX class_charge_month ON class_charge USING brin (statement_month);

-- Stage 2: the parts of pools and tax, per invoice.
CREATE TABLE shared_part (
    invoice_key     bigint NOT NULL,
    attempt_id      bigint,
    statement_month date NOT NULL,
    -- the closed month as whose cost it is split; null: as that of the statement's own
    closed_month    date,
    part            integer NOT NULL,
    shared_kind     text NOT NULL CHECK (shared_kind IN ('pool', 'tax')),
    pool            text NOT NULL, -- 'tax' for tax
    component       text,          -- of a pool's part; null: nobody describes the pool
    target          text NOT NULL CHECK (target IN ('job', 'cost centre', 'balance sheet', 'unallocated')),
    cost_centre     text,
    gl_account      text,          -- of a balance-sheet part
    reason          text,
    weight          numeric NOT NULL,
    billed_cost     numeric NOT NULL,
    effective_cost  numeric NOT NULL
);
CREATE INDEX shared_part_month ON shared_part USING brin (statement_month);

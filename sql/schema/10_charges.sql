-- Who pays each cent of a statement, before rounding.

-- A charge: what one payer bears of an invoice, from however many lines. Σ charges of an invoice =
-- Σ its lines, in billed and in effective cost, digit for digit. A key may occur several times in a
-- month, so readers add up.
CREATE TABLE charge (
    invoice_key             bigint NOT NULL,
    -- of a job; for a refund, the attempt that the system ended
    attempt_id              bigint,
    -- the node of idle time and of time without job records, by the least key of its id; otherwise
    -- 0
    resource_key            bigint NOT NULL,
    line_count              bigint NOT NULL,   -- parts of lines
    statement_month         date NOT NULL,
    -- the closed month that the charge period begins in; null: none
    closed_month            date,
    -- 1 to 5: the rules of docs/allocation.md; 0: by its charge category (prepaid purchase, tax)
    rule                    smallint NOT NULL,
    -- a correction of hours of the node that another statement has
    is_of_another_statement boolean NOT NULL,
    charge_part             text NOT NULL CHECK (charge_part IN ('hardware', 'fees', 'credits', 'charge_adjustments', 'other')),
    target                  text NOT NULL CHECK (target IN ('job', 'pool', 'cost centre', 'prepaid', 'tax', 'unallocated')),
    pool                    text,
    cost_centre             text,
    -- why it is unallocated; for a refund: 'refunded: ' and the state
    reason                  text,
    billed_cost             numeric NOT NULL,
    effective_cost          numeric NOT NULL,
    charged_cost            numeric NOT NULL,  -- effective cost of lines that cost more than 0
    -- the part of it from lines that a commitment or reservation priced
    committed_cost          numeric NOT NULL,
    spot_cost               numeric NOT NULL,  -- effective cost of lines at a dynamic price
    -- node-seconds that it pays for (share-weighted); each second of a node counts once
    priced_seconds          numeric NOT NULL
);
-- The rows of a month are stored together, and most databases have few months, so summaries (BRIN)
-- are enough.
CREATE INDEX charge_month ON charge USING brin (statement_month);

-- The same parts of lines, summed by what was bought. Of an attempt only cost centre, family and
-- outcome are kept, so there are few rows, however many attempts there are.
CREATE TABLE class_charge (
    statement_month  date NOT NULL,
    invoice_key      bigint NOT NULL,
    charge_part      text NOT NULL,
    closed_month     date,
    charge_kind_key  bigint NOT NULL,  -- 0: a quarantined row
    commitment_key   bigint NOT NULL,  -- 0: none
    provider_name    text,
    service_name     text,
    service_category text,
    sku_id           text,
    is_long          boolean NOT NULL, -- charge period of more than 7 days
    target           text NOT NULL,    -- as in charge
    pool             text,
    cost_centre      text,             -- of a job: the job's; null: it has none
    family           text,             -- of a job
    outcome          text,             -- of a job
    reason           text,             -- why it is unallocated
    line_count       bigint NOT NULL,  -- parts of lines
    unlisted_count   bigint NOT NULL,  -- those of lines without ListCost
    billed_cost      numeric NOT NULL,
    effective_cost   numeric NOT NULL,
    -- a line without ListCost counts at its contracted cost, and a line without either at its
    -- effective cost (an unused commitment at 0)
    list_cost        numeric NOT NULL,
    contracted_cost  numeric NOT NULL
);
CREATE INDEX class_charge_month ON class_charge USING brin (statement_month);

-- The parts of pools and tax, for each invoice.
CREATE TABLE shared_part (
    invoice_key     bigint NOT NULL,
    attempt_id      bigint,
    statement_month date NOT NULL,
    -- the closed month whose split is used; null: the split of the statement's own month
    closed_month    date,
    part            integer NOT NULL,
    shared_kind     text NOT NULL CHECK (shared_kind IN ('pool', 'tax')),
    pool            text NOT NULL, -- 'tax' for tax
    component       text,          -- of a pool; null: pools.csv does not have it
    target          text NOT NULL CHECK (target IN ('job', 'cost centre', 'balance sheet', 'unallocated')),
    cost_centre     text,
    gl_account      text,          -- of parts on the balance sheet
    reason          text,
    weight          numeric NOT NULL,
    billed_cost     numeric NOT NULL,
    effective_cost  numeric NOT NULL
);
CREATE INDEX shared_part_month ON shared_part USING brin (statement_month);

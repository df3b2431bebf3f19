-- What discounts saved, and which nodes nobody held: of each statement, published with it.

-- The lines of a statement at four prices: list, contracted (what was negotiated), effective (with commitments) and billed. By
-- invoice and what a reader compares; a line without a list or contracted cost counts there with the next one: no saving is claimed.
-- Minor units are fixed within the invoice (design 3.6), so billed_minor of everybody's rows is the statement's invoices.
CREATE TABLE statement_price (
    statement_month  date NOT NULL,
    cost_centre      text NOT NULL,   -- '': whole lines, everybody's; else the parts that are this cost centre's own: its jobs', and direct ones
    invoice_key      bigint NOT NULL,
    block            text NOT NULL CHECK (block IN ('usage', 'unused commitment', 'purchase', 'other')),
    service_name     text NOT NULL,
    commitment       text NOT NULL,   -- its id, or ''
    pricing          text NOT NULL CHECK (pricing IN ('committed', 'spot', 'on demand', '')), -- of compute usage, and what is covered
    line_count       bigint NOT NULL, -- of a cost centre: parts of lines
    unlisted_count   bigint NOT NULL, -- of them without a list cost
    list_cost        numeric NOT NULL,  -- exact, in the invoice's currency
    contracted_cost  numeric NOT NULL,
    effective_cost   numeric NOT NULL,
    billed_cost      numeric NOT NULL,
    list_minor       bigint NOT NULL,   -- in statement currency
    contracted_minor bigint NOT NULL,
    effective_minor  bigint NOT NULL,
    billed_minor     bigint NOT NULL,
    PRIMARY KEY (statement_month, cost_centre, invoice_key, block, service_name, commitment, pricing)
);

-- What nobody held of each billed node, before the pool that takes it is split.
CREATE TABLE statement_idle (
    statement_month date NOT NULL,
    pool            text,            -- null: unallocated, idle node without pool
    resource_id     text NOT NULL,
    resource_name   text,
    node_hours      numeric NOT NULL,
    minor_units     bigint NOT NULL  -- effective cost in statement currency, fixed within pool and invoice
);
CREATE INDEX statement_idle_month ON statement_idle (statement_month);

-- The attempts at one result are looked up across statements.
CREATE INDEX job_result_attempt ON job_result (attempt_id);

-- What a load came to, by service, account and cost centre: written with the statement that its lines stand in and kept when
-- a later delivery replaces it, so that two deliveries can be compared (kstar diff).
CREATE TABLE load_summary (
    load_id        integer NOT NULL REFERENCES load ON DELETE CASCADE,
    dimension      text NOT NULL CHECK (dimension IN ('service', 'account', 'cost centre')),
    name           text NOT NULL,    -- '(none)' where the lines have none; of a cost centre also 'unallocated: reason'
    currency       text NOT NULL,    -- billing currency; of cost centres the statement currency
    billed_cost    numeric,          -- null for cost centres: they are charged effective cost
    effective_cost numeric NOT NULL
);
CREATE INDEX load_summary_load ON load_summary (load_id);

-- Deliveries that wait for a person: they cover less than what they would replace. --accept lets them in.
CREATE TABLE held_delivery (
    source         text NOT NULL,
    label          text NOT NULL,
    sha256         text NOT NULL,    -- of the delivery that was held; another one under the label is looked at anew
    billing_period date NOT NULL,
    reason         text NOT NULL,
    PRIMARY KEY (source, label)
);

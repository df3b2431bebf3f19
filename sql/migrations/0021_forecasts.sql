-- Forecasts that were made, to be set against what came (docs/scenarios.md). A forecast is known by a hash of what it says:
-- the same one again is the same rows. No time of a clock stands in it; what it knew is base_to, the last month of its history.
CREATE TABLE forecast (
    forecast_id        text PRIMARY KEY, -- SHA-256 of its scenario, its history and what it says
    scenario           text NOT NULL,    -- its name
    content            jsonb NOT NULL,   -- all that it says, what it extends included
    base_from          date NOT NULL,
    base_to            date NOT NULL,
    months             integer NOT NULL CHECK (months > 0),
    statement_currency text NOT NULL,
    minor_unit_digits  integer NOT NULL,
    kstar_version      text NOT NULL,
    held_back          integer NOT NULL, -- months of its back-test; 0: too little history
    back_test_error    double precision  -- sum |forecast - actual| / sum |actual| over them
);
CREATE INDEX forecast_scenario ON forecast (scenario, base_to);

-- The leaves: every total is a sum of them.
CREATE TABLE forecast_month (
    forecast_id text NOT NULL REFERENCES forecast ON DELETE CASCADE,
    month       date NOT NULL,
    cost_centre text NOT NULL,   -- '': the company's as a whole
    family      text NOT NULL,   -- '': on no job
    training    text NOT NULL,   -- of a planned training, its name; else ''
    component   text NOT NULL,
    minor_units bigint NOT NULL,
    PRIMARY KEY (forecast_id, month, cost_centre, family, training, component)
);

-- What it took the work of a cost centre and family to be, for variance by volume, efficiency and price.
CREATE TABLE forecast_driver (
    forecast_id         text NOT NULL REFERENCES forecast ON DELETE CASCADE,
    month               date NOT NULL,
    cost_centre         text NOT NULL,
    family              text NOT NULL,
    ideal_node_hours    double precision NOT NULL,
    node_hours          double precision NOT NULL,
    price_per_node_hour double precision NOT NULL, -- minor units
    PRIMARY KEY (forecast_id, month, cost_centre, family)
);

CREATE TABLE forecast_range (
    forecast_id text NOT NULL REFERENCES forecast ON DELETE CASCADE,
    month       date NOT NULL,
    p10_minor   bigint NOT NULL,
    p50_minor   bigint NOT NULL,
    p90_minor   bigint NOT NULL,
    PRIMARY KEY (forecast_id, month)
);

-- Planned trainings, for somebody to approve (docs/budgets.md). They move no money.

-- planned_trainings.csv: what is to be run, for somebody to approve. Not frozen: a plan is of no statement.
CREATE TABLE planned_training (
    training       text PRIMARY KEY,
    family         text NOT NULL,
    one_node_hours numeric NOT NULL CHECK (one_node_hours > 0), -- what it would take on one node that loses nothing
    k              integer NOT NULL CHECK (k > 0),
    month          text NOT NULL CHECK (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
    cost_centre    text NOT NULL,
    requested_by   text NOT NULL,
    approved_by    text
);

-- What planned trainings cost at the statement's fits and the latest prices up to it, for its review workbook.
CREATE TABLE planned_training_cost (
    statement_month date NOT NULL,
    training        text NOT NULL,
    family          text NOT NULL,
    month           text NOT NULL,
    cost_centre     text NOT NULL,
    requested_by    text NOT NULL,
    approved_by     text,
    one_node_hours  double precision NOT NULL,
    k               integer NOT NULL,
    hours           double precision, -- at K; null: `remark` says why
    cost_minor      bigint,
    k_star          integer,
    hours_at_k_star double precision,
    cost_at_k_star_minor bigint,
    remark          text NOT NULL,    -- what stands against believing the figures, or is missing; '': nothing
    PRIMARY KEY (statement_month, training)
);

-- Whether a cost is above the limit of a statement's settings; one that nobody knows is.
CREATE FUNCTION needs_approval(of_month date, cost_minor bigint) RETURNS boolean
LANGUAGE sql STABLE
RETURN cost_minor IS NULL
       OR cost_minor > stated_setting_value(of_month, 'planned_training_limit', '0')::numeric
                       * 10::numeric ^ (SELECT minor_unit_digits FROM kstar.statement WHERE statement_month = of_month);

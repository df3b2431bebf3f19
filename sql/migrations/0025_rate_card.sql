-- The rate card: what a node-hour of useful work costs on K nodes, by family, at the month's prices. Published with
-- the statement.
CREATE TABLE family_rate (
    statement_month     date NOT NULL,
    family              text NOT NULL,
    k                   integer NOT NULL,
    unit                text NOT NULL CHECK (unit IN ('nodes', 'accelerators')), -- what K counts
    basis               text NOT NULL CHECK (basis IN ('measured', 'fitted', 'extrapolated')),
    is_k_star           boolean NOT NULL,
    price_per_node_hour double precision NOT NULL, -- p, of one K
    fixed_per_wall_hour double precision NOT NULL, -- f in money: without the cost of waiting, which decides K* only
    efficiency          double precision NOT NULL, -- E(K)
    stretch             double precision NOT NULL, -- of what interrupts jobs: at least 1
    hours               double precision NOT NULL, -- T(K) of the measured work
    PRIMARY KEY (statement_month, family, k)
);

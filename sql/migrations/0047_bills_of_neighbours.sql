-- What the bills of other statements say of a month's time, where a source's months turn at another hour than midnight UTC: those hours
-- are billed, and no internal rate prices them again. Kept as the month was published with it, so that a replay of it after its close
-- has what the close had, whatever the neighbour says by then; a month closed before this has none.
CREATE TABLE neighbour_bill (
    statement_month date NOT NULL,
    resource_id     text NOT NULL,        -- in lower case, as compared with the node inventory
    billed_from     timestamptz NOT NULL, -- within the month
    billed_to       timestamptz NOT NULL,
    PRIMARY KEY (statement_month, resource_id, billed_from)
);

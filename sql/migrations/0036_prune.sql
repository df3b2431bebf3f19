-- Old months are pruned by `kstar prune` (docs/operations.md): the lines of their bills, what the statement made of each line, and the
-- nodes of attempts that ended before any month that stays. Everything published stays, and so does what proves it.

CREATE TABLE pruned_month (
    statement_month date PRIMARY KEY REFERENCES closure,
    pruned_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    holds_to        timestamptz NOT NULL -- nodes of attempts that ended by then are no longer known
);

-- Tables that lost rows and have not been rewritten yet: their space is still theirs.
CREATE TABLE prune_rewrite (
    table_name text PRIMARY KEY
);

-- What the parts of an invoice's lines came to when they were pruned: Σ parts = the invoice, in both measures.
CREATE TABLE pruned_invoice (
    statement_month date NOT NULL REFERENCES pruned_month,
    invoice_key     bigint NOT NULL,
    billed_cost     numeric NOT NULL,
    effective_cost  numeric NOT NULL,
    PRIMARY KEY (statement_month, invoice_key)
);

-- Nodes of attempts that ended by then are not stored again when a record of them comes once more. Null: nothing was pruned.
CREATE FUNCTION holds_pruned_to() RETURNS timestamptz
LANGUAGE sql STABLE
RETURN (SELECT max(holds_to) FROM kstar.pruned_month);

-- A bill that comes for a pruned month is refused: nothing is left that it could be compared with.
CREATE FUNCTION refuse_pruned(of_month date) RETURNS void
LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF EXISTS (SELECT FROM kstar.pruned_month WHERE statement_month = of_month) THEN
        RAISE EXCEPTION '% was pruned: there are no lines left that a later bill could be compared with', to_char(of_month, 'YYYY-MM')
            USING ERRCODE = 'KS002', DETAIL = 'its statement stays as it was closed',
                  HINT = 'book the difference outside of kstar, and take the delivery out of the inbox';
    END IF;
END
$$;

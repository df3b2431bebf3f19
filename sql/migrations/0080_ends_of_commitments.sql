-- commitments.csv: when a commitment ends (docs/scenarios.md). Until then what it costs is a floor of every scenario.
-- Not frozen: a scenario is of no statement. '': any.
CREATE TABLE commitment_end (
    commitment text NOT NULL DEFAULT '', -- as bills name it: CommitmentDiscountId, of a capacity reservation its id
    provider   text NOT NULL DEFAULT '', -- as bills name it, else their source; 'own nodes': those on no bill
    sku        text NOT NULL DEFAULT '',
    ends_on    date NOT NULL,            -- the first day that is not paid any more
    PRIMARY KEY (commitment, provider, sku)
);

-- commitments.csv: when a commitment ends (docs/scenarios.md). Until then what it costs is a floor of every scenario. Not
-- frozen: a scenario is of no statement.
CREATE TABLE commitment_end (
    commitment text PRIMARY KEY, -- as bills name it: CommitmentDiscountId, of a capacity reservation its id
    ends_on    date NOT NULL     -- the first day that is not paid any more
);

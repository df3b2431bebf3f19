-- A cost centre that had ended kept every later statement open that adjusted it, though there was an account to book that on. What must still wait is
-- cost of a day on which it was not declared: a rule names it that should not.
CREATE TABLE replayed_undeclared (
    statement_month date NOT NULL REFERENCES replay ON DELETE CASCADE,
    cost_centre     text NOT NULL, -- charged in the replay for a day on which it was not declared
    PRIMARY KEY (statement_month, cost_centre)
);

-- Months that were replayed before are replayed once more to have it. A pruned one stays so.
UPDATE replay SET facts_sha256 = '' WHERE statement_month NOT IN (SELECT statement_month FROM pruned_month);

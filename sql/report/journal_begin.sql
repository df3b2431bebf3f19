-- Issuing: one at a time, and what the transaction reads is what there is once the one before has
-- ended.
BEGIN ISOLATION LEVEL REPEATABLE READ;
LOCK TABLE journal_issue IN SHARE ROW EXCLUSIVE MODE;

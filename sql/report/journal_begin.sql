-- One issue at a time. The lock comes before the first query, so that the transaction sees what the
-- issue before it has committed.
BEGIN ISOLATION LEVEL REPEATABLE READ;
LOCK TABLE journal_issue IN SHARE ROW EXCLUSIVE MODE;

-- Adds up the job records of closed months again where they have changed.
SELECT tally_jobs();

-- If a closed month has the facts of its close again, its replay is dropped: the month counts as
-- closed. A pruned month keeps its last replay.
DELETE FROM replay
USING closure
JOIN facts_of_months(ARRAY(SELECT statement_month FROM replay WHERE statement_month NOT IN (SELECT statement_month FROM pruned_month))) AS today
     USING (statement_month)
WHERE replay.statement_month = closure.statement_month AND closure.facts_sha256 = today.facts;

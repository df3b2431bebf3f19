-- What job records tell of closed months is added up where it has changed.
SELECT tally_jobs();

-- A closed month that has the facts of its close back needs no replay: it says what it says. What a
-- pruned month would say is as it was.
DELETE FROM replay
USING closure
JOIN facts_of_months(ARRAY(SELECT statement_month FROM replay WHERE statement_month NOT IN (SELECT statement_month FROM pruned_month))) AS today
     USING (statement_month)
WHERE replay.statement_month = closure.statement_month AND closure.facts_sha256 = today.facts;

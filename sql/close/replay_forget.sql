-- A closed month that has the facts of its close back needs no replay: it says what it says. What a pruned month would say is as it was.
DELETE FROM replay
USING closure
WHERE replay.statement_month = closure.statement_month
  AND replay.statement_month NOT IN (SELECT statement_month FROM pruned_month)
  AND closure.facts_sha256 = statement_facts(closure.statement_month);

-- For a look at what planned trainings cost now: a table of the same name stands before the
-- published one, and goes with the transaction. All of them, at prices up to the latest
-- statement's.
CREATE TEMP TABLE planned_training_cost (LIKE kstar.planned_training_cost) ON COMMIT DROP;
SELECT set_config('kstar.statement_month', coalesce((SELECT max(statement_month) FROM statement)::text, ''), true),
       set_config('kstar.planned_from', '0000-00', true);

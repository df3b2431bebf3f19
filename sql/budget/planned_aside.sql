-- For a look at what planned trainings cost now. A temporary table of the same name hides the
-- published one until the transaction ends. All trainings are in it, at prices up to those of the
-- latest statement.
CREATE TEMP TABLE planned_training_cost (LIKE kstar.planned_training_cost) ON COMMIT DROP;
SELECT set_config('kstar.statement_month', coalesce((SELECT max(statement_month) FROM statement)::text, ''), true),
       set_config('kstar.planned_from', '0000-00', true);

-- When a month was pruned was noted and read by nobody; the run ledger says it of each run.
ALTER TABLE pruned_month DROP COLUMN pruned_at;

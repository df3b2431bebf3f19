-- Marks runs that were killed: their row says running, but nobody holds their lock (run_state).
WITH stale AS (
    SELECT run_number FROM run_state WHERE outcome = 'running' AND state = 'interrupted'
), stages AS (
    UPDATE run_stage SET outcome = 'interrupted' WHERE outcome = 'running' AND run_number IN (SELECT run_number FROM stale)
)
UPDATE run_ledger
SET outcome = 'interrupted', message = 'killed'
WHERE outcome = 'running' AND run_number IN (SELECT run_number FROM stale);

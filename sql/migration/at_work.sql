-- The run that is at work, as text. No row: there is none. A database without a ledger of runs is
-- not asked (knows_runs.sql).
SELECT format('kstar %s, run %s, is at work since %s UTC', command, run_number, to_char(started_at, 'YYYY-MM-DD HH24:MI'))
FROM kstar.run_state
WHERE state = 'running'
ORDER BY run_number
LIMIT 1;

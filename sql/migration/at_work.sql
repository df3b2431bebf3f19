-- The run that is at work, as text; no row: none. A database that has no ledger of runs yet has
-- nobody at work that could be asked.
SELECT format('kstar %s, run %s, is at work since %s UTC', command, run_number, to_char(started_at, 'YYYY-MM-DD HH24:MI'))
FROM kstar.run_state
WHERE state = 'running'
ORDER BY run_number
LIMIT 1;

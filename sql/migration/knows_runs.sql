-- Whether this database has a ledger of runs.
SELECT to_regclass('kstar.run_state') IS NOT NULL;

-- Inserts a run's row and takes its lock, before anybody else can see the row. $1 command, $2
-- inbox, $3 out, $4 version.
WITH opened AS (
    INSERT INTO run_ledger (command, inbox, out_dir, kstar_version) VALUES ($1, $2, $3, $4) RETURNING run_number
)
SELECT run_number, pg_advisory_lock(hashtext('kstar run'), run_number::integer) FROM opened;

-- Records the end of run $1: outcome $2, exit code $3, message $4, seconds $5, peak memory $6. A
-- stage that is still under way ends with the run.
WITH stages AS (
    UPDATE run_stage
    SET ended_at = clock_timestamp(), seconds = extract(epoch FROM clock_timestamp() - started_at), outcome = $2, message = $4
    WHERE run_number = $1::bigint AND outcome = 'running'
)
UPDATE run_ledger
SET ended_at = clock_timestamp(), outcome = $2, exit_code = $3::integer, message = $4, seconds = $5::double precision,
    peak_memory_bytes = $6::bigint
WHERE run_number = $1::bigint;

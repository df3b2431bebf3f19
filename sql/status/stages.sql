-- The stages of the last night that has ended, in their order.
SELECT stage AS "stage", subject AS "subject", seconds AS "seconds", run_stage.outcome AS "outcome", files AS "files", rows AS "rows",
       quarantined AS "quarantined", bytes AS "bytes", run_id AS "run_id", run_stage.message AS "message"
FROM run_stage
WHERE run_number = (SELECT max(run_number) FROM run_state WHERE command = 'nightly' AND state <> 'running')
ORDER BY stage_number;

-- Records the end of stage $2 of run $1: outcome $3, message $4, seconds $5, files $6, rows $7,
-- quarantined $8, bytes $9. A count that is null is looked up: the sum over the run's deliveries,
-- or the number of lines in the month's bills. A published month also gets the run id of its
-- statement.
UPDATE run_stage
SET ended_at = clock_timestamp(),
    outcome  = $3,
    message  = $4,
    seconds  = $5::double precision,
    files    = coalesce($6::bigint, (SELECT sum(files) FROM run_delivery WHERE run_number = $1::bigint AND kind = stage)),
    rows     = coalesce($7::bigint, (SELECT sum(rows) FROM run_delivery WHERE run_number = $1::bigint AND kind = stage),
                        (SELECT sum(row_count) FROM load JOIN statement_load USING (load_id, statement_month)
                         WHERE to_char(statement_month, 'YYYY-MM') = subject AND stage IN ('publish', 'replay'))),
    quarantined = coalesce($8::bigint, (SELECT sum(quarantined) FROM run_delivery WHERE run_number = $1::bigint AND kind = stage)),
    bytes    = coalesce($9::bigint, (SELECT sum(bytes) FROM run_delivery WHERE run_number = $1::bigint AND kind = stage)),
    run_id   = (SELECT statement.run_id FROM statement WHERE to_char(statement_month, 'YYYY-MM') = subject AND stage = 'publish' AND $3 = 'done')
WHERE run_number = $1::bigint AND stage_number = $2::integer;

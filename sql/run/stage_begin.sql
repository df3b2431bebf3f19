-- Stage $2 of run $1 begins: its name is $3, its subject $4.
INSERT INTO run_stage (run_number, stage_number, stage, subject) VALUES ($1::bigint, $2::integer, $3, $4);

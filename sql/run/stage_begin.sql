-- Run $1, its stage of number $2 begins: $3, of $4.
INSERT INTO run_stage (run_number, stage_number, stage, subject) VALUES ($1::bigint, $2::integer, $3, $4);

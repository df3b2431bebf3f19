-- The commands that are running now, each with its stage.
SELECT command AS "command", run_number AS "run", to_char(run_state.started_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "since",
       concat_ws(' ', stage, subject) AS "at"
FROM run_state
LEFT JOIN run_stage USING (run_number)
WHERE state = 'running' AND (stage_number IS NULL OR run_stage.outcome = 'running')
ORDER BY run_number;

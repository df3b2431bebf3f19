-- The last night that has ended, and whether it is good: its exit code means that the work is done,
-- and it ended at most $1 hours ago (0: at any time). A time in the future, as after a clock was
-- set back, counts in the same way. No row: no night has ended. running.sql has the night that
-- still runs.
WITH night AS (
    SELECT *, extract(epoch FROM clock_timestamp() - coalesce(ended_at, started_at)) / 3600 AS hours_ago
    FROM run_state
    WHERE command = 'nightly' AND state <> 'running'
    ORDER BY run_number DESC
    LIMIT 1
)
SELECT CASE WHEN exit_code IS NULL                                         THEN 'killed'
            WHEN outcome = 'interrupted'                                   THEN 'interrupted'
            WHEN exit_code NOT IN (0, 4, 8)                                THEN 'failed'
            WHEN $1::double precision > 0 AND abs(hours_ago) > $1::double precision THEN 'too long ago'
            ELSE 'good'
       END                                                                  AS "verdict",
       run_number                                                           AS "run",
       to_char(started_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')                    AS "began",
       to_char(ended_at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')                      AS "ended",
       seconds                                                              AS "seconds",
       round(hours_ago::numeric, 2)::double precision                       AS "hours_ago",
       state                                                                AS "outcome",
       exit_code::bigint                                                    AS "exit_code",
       message                                                              AS "message",
       kstar_version                                                        AS "version",
       server_version                                                       AS "server_version",
       peak_memory_bytes                                                    AS "peak_memory_bytes",
       deliveries                                                           AS "deliveries",
       rows                                                                 AS "rows",
       files                                                                AS "files_written",
       inbox                                                                AS "inbox",
       out_dir                                                              AS "out",
       (extract(epoch FROM started_at) * 1000000)::bigint                   AS "began_microseconds"
FROM night
CROSS JOIN LATERAL (SELECT count(*) AS deliveries, coalesce(sum(run_delivery.rows), 0)::bigint AS rows
                    FROM run_delivery
                    WHERE run_delivery.run_number = night.run_number AND run_delivery.outcome = 'done') AS loaded
CROSS JOIN LATERAL (SELECT coalesce(sum(run_stage.files), 0)::bigint AS files
                    FROM run_stage
                    WHERE run_stage.run_number = night.run_number AND stage = 'workbooks') AS written;

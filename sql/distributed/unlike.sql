-- The first server whose database sorts or encodes text in another way than this one: results would
-- depend on where a row lies. No row: all are alike.
SELECT nodename || ':' || nodeport AS server, result AS has, own
FROM (SELECT concat_ws(' ', datcollate, datctype, pg_encoding_to_char(encoding)) AS own
      FROM pg_database WHERE datname = current_database()) AS coordinator
CROSS JOIN LATERAL run_command_on_workers($$
    SELECT concat_ws(' ', datcollate, datctype, pg_encoding_to_char(encoding))
    FROM pg_database WHERE datname = current_database()$$)
WHERE NOT success OR result IS DISTINCT FROM own
ORDER BY 1
LIMIT 1;

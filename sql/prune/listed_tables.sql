-- What is removed from each table. If a table is not dropped, its bytes are estimated by the share
-- of rows.
SELECT table_name                                                                      AS "table",
       rows                                                                            AS "rows",
       CASE WHEN is_dropped THEN bytes_before
            ELSE trunc(bytes_before * least(1, rows / greatest(1, there)))::bigint END AS "bytes",
       CASE WHEN is_dropped THEN 'dropped' ELSE 'deleted' END                          AS "how"
FROM prune_table
CROSS JOIN LATERAL (SELECT greatest(reltuples, rows)::numeric AS there FROM pg_class WHERE oid = table_name::regclass) AS known
ORDER BY position, table_name COLLATE "C";

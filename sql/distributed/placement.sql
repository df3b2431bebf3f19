-- In words: which tables are distributed by which key, and which are on every server.
SELECT format('%-19s', CASE distribution_key WHEN 'node_hash' THEN 'by resource:' WHEN 'attempt_id' THEN 'by job:' ELSE 'on every server:' END)
       || string_agg(table_name, ', ' ORDER BY table_name COLLATE "C")
FROM distributed_table
GROUP BY distribution_key
ORDER BY distribution_key DESC NULLS LAST;

-- For each reader, the worker that it connects to and a view of its lines there.
SELECT nodename, nodeport,
       'CREATE TEMP VIEW billing_line AS ' || string_agg('SELECT * FROM ' || shard, ' UNION ALL ' ORDER BY shardid)
FROM reader_shard
GROUP BY reader, nodename, nodeport
ORDER BY reader;
